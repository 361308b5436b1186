import { type BytePath, pathText } from './byte-path.ts';
import type { CommitInfo, FileChange } from './commit.ts';
import { DevLoopError } from './errors.ts';
import { ROLE_IDENTITY, ROLES, type Role } from './roles.ts';
import { inScope } from './write-scope.ts';

/** One commit of an agent in the format Agent Trace 0.1 (https://agent-trace.dev): which lines came from whom. */
export interface TraceRecord {
  readonly version: '0.1';
  /** A UUID made from the commit's id, so that a record is the same each time. */
  readonly id: string;
  readonly timestamp: string;
  readonly vcs: { readonly type: 'git'; readonly revision: string };
  readonly files: readonly TracedFile[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface TracedFile {
  readonly path: string;
  readonly conversations: readonly {
    readonly url?: string;
    readonly contributor: { readonly type: 'ai'; readonly model_id?: string };
    readonly ranges: readonly LineRange[];
  }[];
}

/** Lines of the file as the commit has it, from 1. */
export interface LineRange {
  readonly start_line: number;
  readonly end_line: number;
}

export interface CommitChange {
  readonly files: readonly FileChange[];
  /** Unified diff against the first parent, a section for each of the files, in their order. */
  readonly patch: Uint8Array;
}

/** Tells what an agent's commit added, line by line; undefined for a commit that no agent made or that added no line of one's. */
export function traceRecord(commit: CommitInfo, { files, patch }: CommitChange): TraceRecord | undefined {
  const author = ROLES.find((role) => ROLE_IDENTITY[role].email === commit.author.email);
  if (author === undefined) return undefined;
  const added = addedLines(patch);
  if (added.length !== files.length) {
    throw new DevLoopError(
      'internal',
      `the diff of ${commit.sha} has ${added.length} sections for ${files.length} files`,
    );
  }
  const traced = files.flatMap(({ path }, i) =>
    tracedFile({ path, ranges: added[i] ?? [], author, trailers: commit.trailers }),
  );
  if (traced.length === 0) return undefined;
  const { sha, ts, trailers } = commit;
  return {
    version: '0.1',
    id: uuidOf(sha),
    timestamp: ts,
    vcs: { type: 'git', revision: sha },
    files: traced,
    metadata: { 'local.devloop': { role: author, ...trailers } },
  };
}

/** Who writes where; everything else in a project is the server's own. */
const WRITES: Readonly<Record<Role, readonly string[]>> = {
  pm: ['prd/**'],
  architect: ['sdd/**', 'units.json', 'integration/spec.json', 'units/*/contract.json'],
  coder: ['units/*/code/**'],
  tester: ['units/*/tests/**'],
  integrator: [],
  'bug-triager': ['integration/runs/*/triage.json'],
};

interface Added {
  readonly path: BytePath;
  readonly ranges: readonly LineRange[];
  /** Whose call the commit's trailers name. */
  readonly author: Role;
  readonly trailers: CommitInfo['trailers'];
}

function tracedFile({ path, ranges, author, trailers }: Added): readonly TracedFile[] {
  const writer = ROLES.find((role) => inScope(path, WRITES[role]));
  if (writer === undefined || ranges.length === 0) return [];
  const call = writer === author ? trailers['DevLoop-Call'] : undefined;
  const model = modelIn(trailers['DevLoop-Agent']);
  const conversation = {
    ...(call === undefined ? {} : { url: `urn:devloop:call:${call}` }),
    contributor: { type: 'ai', ...(model === undefined ? {} : { model_id: model }) },
    ranges,
  } as const;
  return [{ path: pathText(path).path, conversations: [conversation] }];
}

/** The trailer is `driver model (source)`, model and source where they are known. */
function modelIn(agent = ''): string | undefined {
  const [, ...words] = agent.replace(/ *\([a-z]+\)$/, '').split(' ');
  const model = words.join(' ').slice(0, 250);
  return model === '' ? undefined : model;
}

/** The lines that each section of a unified diff adds. A line counts by its place in its hunk, whatever it looks like. */
export function addedLines(patch: Uint8Array): readonly (readonly LineRange[])[] {
  const sections: LineRange[][] = [];
  let [oldLeft, newLeft, line] = [0, 0, 0];
  for (const text of linesOf(patch)) {
    if (oldLeft > 0 || newLeft > 0) {
      const mark = text[0];
      if (mark === '\\') continue;
      if (mark === '+') extend(sections.at(-1), line);
      if (mark !== '+') oldLeft--;
      if (mark === '-') continue;
      newLeft--;
      line++;
      continue;
    }
    if (text.startsWith('diff --git ')) sections.push([]);
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) [oldLeft, newLeft, line] = [Number(hunk[1] ?? 1), Number(hunk[3] ?? 1), Number(hunk[2])];
  }
  return sections;
}

function extend(ranges: LineRange[] | undefined, line: number): void {
  const last = ranges?.at(-1);
  if (last?.end_line === line - 1) ranges?.splice(-1, 1, { ...last, end_line: line });
  else ranges?.push({ start_line: line, end_line: line });
}

/** As bytes: only the first character of a content line is looked at. */
function linesOf(patch: Uint8Array): readonly string[] {
  return new TextDecoder('latin1').decode(patch).split('\n');
}

/** Version 8: a form of one's own. */
function uuidOf(sha: string): string {
  const variant = ((Number.parseInt(sha.slice(16, 17), 16) & 3) | 8).toString(16);
  return `${sha.slice(0, 8)}-${sha.slice(8, 12)}-8${sha.slice(13, 16)}-${variant}${sha.slice(17, 20)}-${sha.slice(20, 32)}`;
}
