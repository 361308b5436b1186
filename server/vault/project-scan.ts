import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import { type CompanyId, type ProjectId, parseCompanyId, parseProjectId } from '../domain/ids.ts';
import { hasCode } from '../io/io-error.ts';
import { readBelow } from '../io/safe-path.ts';

/** A project by where it is. Paths are absolute. */
export interface ProjectPlace {
  readonly pid: ProjectId;
  readonly cid: CompanyId;
  readonly root: string;
  /** The server's own folder for it, data/.devloop/vaults/{cid}/{pid}; may be absent yet. */
  readonly state: string;
}

export function placeOf(dataDir: string, cid: CompanyId, pid: ProjectId): ProjectPlace {
  const root = join(dataDir, 'companies', cid, 'projects', pid);
  return { pid, cid, root, state: join(dataDir, '.devloop', 'vaults', cid, pid) };
}

/** All folders companies/{cid}/projects/{pid}; links and other names are passed over. */
export function scanProjects(dataDir: string): readonly ProjectPlace[] {
  return companies(dataDir).flatMap((cid) =>
    folderNames(join(dataDir, 'companies', cid, 'projects'), parseProjectId).map((pid) => placeOf(dataDir, cid, pid)),
  );
}

/** The folders of one project: more than one where somebody copied it to another company. */
export function scanForProject(dataDir: string, pid: ProjectId): readonly ProjectPlace[] {
  return companies(dataDir)
    .map((cid) => placeOf(dataDir, cid, pid))
    .filter(({ root }) => lstatSync(root, { throwIfNoEntry: false })?.isDirectory());
}

/** Refuses two folders of one name, in different companies. */
export function refuseCopies(places: readonly ProjectPlace[]): void {
  const seen = new Map<ProjectId, ProjectPlace>();
  for (const place of places) {
    const other = seen.get(place.pid);
    if (other !== undefined) {
      const paths = [other.root, place.root];
      throw twice(place.pid, { paths, message: `project ${place.pid} is in two folders: ${paths.join(' and ')}` });
    }
    seen.set(place.pid, place);
  }
}

/** Refuses a folder whose project.json names another project: a copy, or a folder that was renamed. */
export function refuseOtherProject({ pid, cid, root }: ProjectPlace, dataDir: string): void {
  const named = namedProject(root);
  if (named === undefined || named === pid) return;
  const own = placeOf(dataDir, cid, named).root;
  throw twice(named, { paths: [own, root], message: `${root} holds project ${named}, whose folder is ${own}` });
}

function twice(pid: ProjectId, { paths, message }: { readonly paths: readonly string[]; readonly message: string }) {
  return new DevLoopError('conflict', message, {
    data: { pid, paths },
    hint: 'Keep one of the folders, under the name of its project, and move the other out of the data folder.',
  });
}

function companies(dataDir: string): readonly CompanyId[] {
  return folderNames(join(dataDir, 'companies'), parseCompanyId);
}

function folderNames<Id>(folder: string, parse: (name: string) => Id): readonly Id[] {
  const ids: Id[] = [];
  for (const entry of entriesOf(folder)) {
    const id = entry.isDirectory() ? parsed(() => parse(entry.name)) : undefined;
    if (id !== undefined) ids.push(id);
  }
  return ids.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

/** What project.json says; undefined where there is none or it cannot be read as one. */
function namedProject(root: string): ProjectId | undefined {
  return parsed(() => {
    const content = readBelow(root, 'project.json', 1_000_000);
    const value: unknown = content === undefined ? undefined : JSON.parse(content.toString());
    return typeof value === 'object' && value !== null && 'pid' in value ? parseProjectId(value.pid) : undefined;
  });
}

function parsed<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch (error) {
    const unfit = isDevLoopError(error, 'validation_failed') || error instanceof SyntaxError;
    if (unfit || hasCode(error, 'path_refused', 'too_large')) return undefined;
    throw error;
  }
}
