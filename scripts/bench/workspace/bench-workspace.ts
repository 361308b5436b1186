import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENVIRONMENT } from '../git-environment.ts';
import { generateWorkspace, type WorkspaceSize } from './generate-workspace.ts';

/** What both ways leave out; `.git` at any depth is the user's own. */
const LEFT_OUT = ['.git', '.hg', '.svn', '.jj', 'node_modules/', '.venv/', 'target/', 'dist/', 'build/', '.cache/'];

/** A generated workspace with a place for histories, and the pipeline that is used instead: a shadow copy in a git repository. */
export class BenchWorkspace {
  readonly #folder = mkdtempSync(join(tmpdir(), 'devloop-bench-'));
  readonly root = join(this.#folder, 'user/work');
  readonly stateDir = join(this.#folder, 'state');
  readonly home = join(this.#folder, 'home');
  readonly shadow = join(this.#folder, 'shadow');
  readonly files: readonly string[];

  constructor(size: WorkspaceSize) {
    for (const path of [this.root, this.home]) mkdirSync(path, { recursive: true });
    this.files = generateWorkspace(this.root, size);
    this.dropPoints();
  }

  /** Both begin anew. */
  dropPoints(): void {
    rmSync(this.stateDir, { recursive: true, force: true });
    rmSync(this.shadow, { recursive: true, force: true });
    mkdirSync(this.shadow);
    this.#git('init', '-q', '-b', 'main');
  }

  /** Adds a line to some files, spread over all; a round changes others than the one before. */
  change(count: number, round: number): void {
    const step = Math.floor(this.files.length / count);
    for (let i = 0; i < count; i++) {
      const path = this.files[(i * step + (round % step)) % this.files.length] ?? '';
      appendFileSync(join(this.root, path), `// round ${round}\n`);
    }
  }

  /** Makes the folder a repository of the user's, with all in its index and in a pack. */
  makeRepository(): void {
    writeFileSync(join(this.root, '.gitignore'), 'node_modules/\n');
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      ['commit', '-q', '-m', 'all'],
      ['gc', '-q'],
    ])
      this.#run('git', ['-C', this.root, ...args]);
  }

  /** The whole of a point: copy, add, commit. */
  point(): void {
    this.#copyIn();
    this.#git('commit', '-q', '--allow-empty', '-m', 'point');
  }

  preview(commit: string): void {
    this.#copyIn();
    this.#git('diff', '--cached', '--name-status', commit);
  }

  restore(commit: string): void {
    this.#git('reset', '-q', '--hard', commit);
    this.#run('rsync', ['-a', '--delete', ...EXCLUDES, `${this.shadow}/`, `${this.root}/`]);
  }

  head(): string {
    return this.#git('rev-parse', 'HEAD').trim();
  }

  /** Megabytes on the disk. */
  megabytes(path: string): number {
    const { stdout } = spawnSync('du', ['-sk', path], { encoding: 'utf8' });
    return Number.parseInt(stdout, 10) / 1024;
  }

  /** Brings to the disk what was written so far, so that nobody waits for what another has written. */
  settle(): void {
    this.#run('sync', ['-f', this.#folder]);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #copyIn(): void {
    this.#run('rsync', ['-a', '--delete', ...EXCLUDES, `${this.root}/`, `${this.shadow}/`]);
    this.#git('add', '-A', '-f');
  }

  #git(...args: readonly string[]): string {
    return this.#run('git', ['-C', this.shadow, ...args]);
  }

  #run(program: string, args: readonly string[]): string {
    const run = spawnSync(program, args, {
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
      maxBuffer: 1 << 28,
    });
    if (run.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${run.stderr?.toString() ?? run.error}`);
    return run.stdout.toString();
  }
}

const EXCLUDES = LEFT_OUT.map((pattern) => `--exclude=${pattern}`);
