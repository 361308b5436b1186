import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectId, parseCompanyId, parseProjectId } from '../../server/domain/ids.ts';
import { DEVLOOP } from '../../server/domain/roles.ts';
import { ProjectFolders, vaultNotes } from '../../server/vault/index.ts';
import { init } from '../../server/vault/init.ts';
import { VaultSet } from '../../server/vault/vault-set.ts';
import { ENVIRONMENT } from './git-environment.ts';

const COMPANY = parseCompanyId('default');
const FILES_A_FOLDER = 25;
const UNITS = 20;
const SETTINGS = { max_file_bytes: 50_000_000, now: () => new Date() };

export interface FileChanges {
  /** How many the project has. */
  readonly files: number;
  readonly count: number;
  readonly round: number;
  /** A unit, where only its files change. */
  readonly within?: string;
}

/** A data folder with projects, and repositories of git's own beside it. */
export class BenchFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), 'devloop-bench-'));
  readonly #folders = new ProjectFolders({ dataDir: join(this.#folder, 'data'), templates: '' });
  /** Without what runs beside the calls. */
  vaults: VaultSet = this.#open();

  /** As a server that was just started: nothing is in memory. */
  restart(): void {
    this.vaults.close();
    this.vaults = this.#open();
  }

  async project(name: string, files: number): Promise<{ readonly pid: ProjectId; readonly root: string }> {
    const pid = parseProjectId(name);
    mkdirSync(join(this.#folder, 'data/companies'), { recursive: true });
    const { root } = await this.#folders.create(COMPANY, pid);
    writeFiles(root, files);
    const first = {
      kind: 'init',
      subject: 'init',
      author: DEVLOOP,
      trailers: [],
      files: ['**'],
      key: 'first',
      onEmpty: 'skip',
    } as const;
    await this.vaults.write(pid, (vault) => init(vault, first));
    return { pid, root };
  }

  repository(name: string, files: number): string {
    const root = join(this.#folder, name);
    mkdirSync(root);
    writeFiles(root, files);
    this.git(root, 'init', '-q', '-b', 'main');
    this.git(root, 'add', '-A');
    this.git(root, 'commit', '-q', '-m', 'init');
    return root;
  }

  /** Changes some files, spread over the folders of one unit or of all; a round changes others than the one before. */
  change(root: string, { files, count, round, within }: FileChanges): void {
    const indexes = Array.from({ length: files }, (_, i) => i).filter(
      (i) => within === undefined || unitOf(i) === within,
    );
    for (let i = 0; i < count; i++) {
      const index = indexes[(i * Math.floor(indexes.length / count) + round) % indexes.length] ?? 0;
      writeFileSync(join(root, pathOf(index)), contentOf(index, `round ${round}`));
    }
  }

  git(root: string, ...args: readonly string[]): void {
    const run = spawnSync('git', args, { cwd: root, env: ENVIRONMENT, stdio: ['ignore', 'ignore', 'pipe'] });
    if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr.toString()}`);
  }

  /** Brings to the disk what was written so far, so that nobody waits for what another has written. */
  settle(): void {
    spawnSync('sync', ['-f', this.#folder]);
  }

  async remove(): Promise<void> {
    await this.vaults.settled();
    this.vaults.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #open(): VaultSet {
    return new VaultSet({
      locate: (pid) => this.#folders.locate(pid),
      settings: SETTINGS,
      ahead: vaultNotes(join(this.#folder, 'data')),
    });
  }
}

function writeFiles(root: string, count: number): void {
  for (let i = 0; i < count; i++) {
    const path = join(root, pathOf(i));
    if (i % FILES_A_FOLDER === 0) mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, contentOf(i, 'first'));
  }
}

function pathOf(index: number): string {
  return `units/${unitOf(index)}/code/d${Math.floor(index / FILES_A_FOLDER / UNITS)}/f${index}.js`;
}

const unitOf = (index: number): string => `u${Math.floor(index / FILES_A_FOLDER) % UNITS}`;

/** About two kilobytes of text, no two files alike. */
function contentOf(index: number, text: string): string {
  return (
    Array.from(
      { length: 40 },
      (_, line) => `export const v${line} = ${index * 40 + line}; // a line of some length\n`,
    ).join('') + text
  );
}
