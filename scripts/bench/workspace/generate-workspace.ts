import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface WorkspaceSize {
  readonly name: 'S' | 'M' | 'L';
  /** What points hold; a third as many more are below node_modules. */
  readonly files: number;
  readonly repositories: number;
  readonly rounds: number;
  /** Rounds before these, as of a server that has run a while. */
  readonly uncounted: number;
}

export const SIZES = {
  S: { name: 'S', files: 2_400, repositories: 2, rounds: 15, uncounted: 6 },
  M: { name: 'M', files: 24_000, repositories: 6, rounds: 5, uncounted: 2 },
  L: { name: 'L', files: 120_000, repositories: 12, rounds: 3, uncounted: 1 },
} as const satisfies Record<string, WorkspaceSize>;

const FILES_A_FOLDER = 10;
const FOLDERS_A_FOLDER = 12;
/** One file in so many is a binary, one a link. */
const BINARY_EVERY = 40;
const LINK_EVERY = 100;
const TEXT_BYTES = 7_000;
const BINARY_BYTES = 50_000;

/** Writes a workspace: sources of about 7 kB, binaries, links, repositories in folders, node_modules. @returns the paths of its sources */
export function generateWorkspace(root: string, { files, repositories }: WorkspaceSize): readonly string[] {
  const bytes = new Bytes(files);
  const sources: string[] = [];
  for (let i = 0; i < files; i++) {
    const path = pathOf(i);
    if (i % FILES_A_FOLDER === 0) mkdirSync(join(root, path, '..'), { recursive: true });
    if (i % LINK_EVERY === 1) symlinkSync(`f${i - 1}.ts`, join(root, path));
    else if (i % BINARY_EVERY === 7) writeFileSync(join(root, path), bytes.binary());
    else {
      writeFileSync(join(root, path), bytes.text(i));
      sources.push(path);
    }
  }
  for (let i = 0; i < files / 3; i++) {
    const folder = join(root, `node_modules/p${Math.floor(i / 20)}`);
    if (i % 20 === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `m${i}.js`), bytes.text(i).subarray(0, 500));
  }
  for (let i = 0; i < repositories; i++) makeRepository(join(root, `d${i % FOLDERS_A_FOLDER}`));
  return sources;
}

/** Folders of ten files, twelve folders in a folder. */
function pathOf(index: number): string {
  const folder = Math.floor(index / FILES_A_FOLDER);
  const names = [folder % 12, Math.floor(folder / 12) % 12, Math.floor(folder / 144) % 12, Math.floor(folder / 1728)];
  return `${names.map((name) => `d${name}`).join('/')}/f${index}.ts`;
}

function makeRepository(root: string): void {
  const config = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', 'd0'],
    ['commit', '-q', '-m', 'first'],
  ]) {
    const run = spawnSync('git', ['-C', root, ...config, ...args], {
      env: { PATH: process.env.PATH, HOME: '/nonexistent' },
    });
    if (run.status !== 0) throw new Error(`git ${args.join(' ')}: ${run.stderr.toString()}`);
  }
}

/** Pseudo-random contents, the same for the same seed; text compresses as sources do. */
class Bytes {
  #state: number;
  readonly #corpus: Buffer;

  constructor(seed: number) {
    this.#state = seed;
    const names = Array.from({ length: 600 }, () => this.#word());
    const lines = Array.from({ length: 60_000 }, () => {
      const words = Array.from({ length: 3 + this.#next(5) }, () => names[Math.min(this.#next(600), this.#next(600))]);
      return `${'  '.repeat(this.#next(4))}${words.join([' ', '.', '(', ', '][this.#next(4)])} = ${this.#next(1000)};`;
    });
    this.#corpus = Buffer.from(lines.join('\n'));
  }

  text(index: number): Buffer {
    const at = this.#next(this.#corpus.length - 2 * TEXT_BYTES);
    const size = TEXT_BYTES / 4 + this.#next(TEXT_BYTES * 1.5);
    return Buffer.concat([Buffer.from(`// file ${index}\n`), this.#corpus.subarray(at, at + size)]);
  }

  binary(): Buffer {
    const bytes = Buffer.allocUnsafe(BINARY_BYTES);
    for (let i = 0; i < bytes.length; i += 4) bytes.writeUInt32LE(this.#random(), i);
    return bytes;
  }

  #word(): string {
    return Array.from({ length: 3 + this.#next(9) }, () => String.fromCharCode(97 + this.#next(26))).join('');
  }

  #next(limit: number): number {
    return this.#random() % Math.floor(limit);
  }

  /** xorshift32 */
  #random(): number {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x >>> 0;
    return this.#state;
  }
}
