import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import type { CompanyId, ProjectId } from '../domain/ids.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { appendProjectFile, readProjectFile, writeProjectFile } from './project-files.ts';
import { makeProjectFolder, removeProjectFolder, sweepLeftovers } from './project-lifetime.ts';
import {
  type ProjectPlace,
  placeOf,
  refuseCopies,
  refuseOtherProject,
  scanForProject,
  scanProjects,
} from './project-scan.ts';

export interface ProjectFoldersOptions {
  /** Absolute path of the data folder. */
  readonly dataDir: string;
  /** Absolute path of templates/project. */
  readonly templates: string;
}

/** The projects of a data folder, by their folders. Paths of files are UTF-8 text, relative to the project's folder. */
export class ProjectFolders {
  readonly #dataDir: string;
  readonly #templates: string;
  /** Where each project was found last; looked at again before it is believed. */
  readonly #known = new Map<ProjectId, ProjectPlace>();

  constructor({ dataDir, templates }: ProjectFoldersOptions) {
    this.#dataDir = dataDir;
    this.#templates = templates;
  }

  /** Every project. @throws DevLoopError conflict, with both paths, where one is there twice. */
  async list(): Promise<readonly ProjectPlace[]> {
    const places = scanProjects(this.#dataDir);
    refuseCopies(places);
    return places.map((place) => this.#learn(place));
  }

  async find(pid: ProjectId): Promise<ProjectPlace | undefined> {
    const known = this.#known.get(pid);
    if (known !== undefined && lstatSync(known.root, { throwIfNoEntry: false })?.isDirectory()) return known;
    this.#known.delete(pid);
    const places = scanForProject(this.#dataDir, pid);
    refuseCopies(places);
    return places[0] === undefined ? undefined : this.#learn(places[0]);
  }

  /** @throws DevLoopError project_not_found */
  async locate(pid: ProjectId): Promise<ProjectPlace> {
    const place = await this.find(pid);
    if (place !== undefined) return place;
    throw new DevLoopError('project_not_found', `there is no project ${pid}`, { data: { pid } });
  }

  /** Makes a project's folder, whole or not at all. @throws DevLoopError conflict where the pid is taken. */
  async create(cid: CompanyId, pid: ProjectId): Promise<ProjectPlace> {
    const place = placeOf(this.#dataDir, cid, pid);
    const path = (await this.find(pid))?.root ?? (isEmpty(place.state) ? undefined : place.state);
    if (path !== undefined) {
      throw new DevLoopError('conflict', `project ${pid} has a folder already: ${path}`, { data: { pid, path } });
    }
    try {
      makeProjectFolder(this.#dataDir, place);
    } catch (error) {
      throw systemRefusal(error, { doing: `creating project ${pid}`, data: { pid } });
    }
    return this.#learn(place);
  }

  /** Moves the project's folder and the server's own for it out of the way, then deletes them. */
  async remove(pid: ProjectId): Promise<void> {
    const place = await this.locate(pid);
    this.#known.delete(pid);
    try {
      await removeProjectFolder(this.#dataDir, place);
    } catch (error) {
      throw systemRefusal(error, { doing: `deleting project ${pid}`, data: { pid } });
    }
  }

  /** Finishes what a killed server left half made or half deleted; to be called once, after start. */
  async sweep(): Promise<void> {
    await sweepLeftovers(this.#dataDir);
  }

  async read(pid: ProjectId, path: string, limit: number): Promise<Uint8Array | undefined> {
    return readProjectFile(await this.locate(pid), path, limit);
  }

  async write(pid: ProjectId, path: string, content: string | Uint8Array): Promise<void> {
    writeProjectFile(await this.locate(pid), path, { content });
  }

  /** Replaces a file whole that is a copy for readers: a power cut may take it. */
  async note(pid: ProjectId, path: string, content: string): Promise<void> {
    writeProjectFile(await this.locate(pid), path, { content, durable: false });
  }

  async append(pid: ProjectId, path: string, content: string): Promise<void> {
    appendProjectFile(await this.locate(pid), path, content);
  }

  async ignoreTemplate(): Promise<string> {
    return readFileSync(join(this.#templates, 'gitignore'), 'utf8');
  }

  /** Whose content was looked at once is not read again. */
  #learn(place: ProjectPlace): ProjectPlace {
    if (this.#known.get(place.pid)?.root !== place.root) refuseOtherProject(place, this.#dataDir);
    this.#known.set(place.pid, place);
    return place;
  }
}

function isEmpty(folder: string): boolean {
  return lstatSync(folder, { throwIfNoEntry: false }) === undefined || readdirSync(folder).length === 0;
}
