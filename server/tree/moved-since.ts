import { lstatSync, type Stats } from 'node:fs';
import { type BytePath, parentPath } from '../domain/byte-path.ts';
import { hasCode } from '../io/io-error.ts';
import { diskPath } from './disk-path.ts';
import { foldPath, type Step } from './restore-steps.ts';
import { isWhatWasSeen } from './seen-same.ts';

/** Finds the steps whose paths are not as the plan saw them. Nothing relies on it but what is told: each step looks again. */
export function movedSince(root: string, steps: readonly Step[]): readonly BytePath[] {
  // Where case tells no names apart, a file that only changes its case is found under its new name already.
  const going = new Set(steps.filter((step) => step.do === 'delete').map(({ path }) => foldPath(path)));
  const isRenamed = (step: Step): boolean =>
    step.do === 'place' && step.from === undefined && going.has(foldPath(step.path));
  const disk = new Looker(root);
  return steps.filter((step) => !isRenamed(step) && !isAsSeen(disk, step)).map(({ path }) => path);
}

function isAsSeen(disk: Looker, step: Step): boolean {
  if (step.do !== 'delete' && step.do !== 'place' && step.do !== 'mode') return true;
  const now = disk.look(step.path);
  if (step.do === 'place' && step.from === undefined) return now === undefined || now.isDirectory();
  return isWhatWasSeen(now, step.from);
}

/** Looks at paths below a root; what is behind a link is not there. */
class Looker {
  readonly #root: string;
  readonly #folders = new Map<BytePath, boolean>();

  constructor(root: string) {
    this.#root = root;
  }

  look(path: BytePath): Stats | undefined {
    return this.#isFolder(parentPath(path)) ? this.#stats(path) : undefined;
  }

  #isFolder(path: BytePath): boolean {
    if (path === '') return true;
    const known = this.#folders.get(path);
    if (known !== undefined) return known;
    const is = this.look(path)?.isDirectory() === true;
    this.#folders.set(path, is);
    return is;
  }

  #stats(path: BytePath): Stats | undefined {
    try {
      return lstatSync(diskPath(this.#root, path), { throwIfNoEntry: false });
    } catch (error) {
      if (hasCode(error, 'ENOTDIR')) return undefined;
      throw error;
    }
  }
}
