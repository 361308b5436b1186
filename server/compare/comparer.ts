import { mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../io/make-folders.ts';
import { removeTree } from '../io/remove-tree.ts';
import { type Compared, type CompareRequest, compareTaken } from './compare-taken.ts';
import { type DrawRequest, drawTaken } from './draw-taken.ts';
import type { Confinement } from './reader-process.ts';
import { slots } from './slots.ts';
import { sweepLeft } from './sweep-left.ts';
import { takeContent } from './take-content.ts';

/** Compares contents by what they are. Untrusted documents are read in processes of their own, a few at once. */
export interface Comparer {
  /** Never fails for what a content is: what cannot be read comes as `binary` with the reason. */
  compare(request: CompareRequest): Promise<Compared>;
  /** Draws a picture, a page, or how two differ, as PNG. Throws not_found where there is no picture of it. */
  draw(request: DrawRequest): Promise<Buffer>;
}

export interface ComparerSetting {
  /** Absolute path of a folder for documents while they are read, made where it is absent. */
  readonly folder: string;
  /** Bounds of the processes that read; asked for when the first one is needed. */
  readonly sandbox: () => Promise<Confinement>;
  /** Absolute path of LibreOffice's program, for pictures of slides and pages; absent where the system has none. */
  readonly office?: string | undefined;
}

const AT_ONCE = 2;

/** Opens a comparer; nothing is started before it is asked for something. */
export function openComparer({ folder, sandbox, office }: ComparerSetting): Comparer {
  const inSlot = slots(AT_ONCE);
  let confinement: Promise<Confinement> | undefined;
  const confined = () => (confinement ??= sandbox());
  async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
    makeFolders(folder, { mode: 0o700 });
    await sweepLeft(folder);
    const own = realpathSync(mkdtempSync(join(folder, 'read-')));
    try {
      return await work(own);
    } finally {
      await removeTree(own);
    }
  }
  const taken = async (request: CompareRequest | DrawRequest, own: string) => {
    const take = async (side: 'before' | 'after') => {
      const content = await request[side]?.();
      return content && takeContent(content, join(own, side));
    };
    // Both have ended before the folder goes, also where one fails.
    const sides = await Promise.allSettled([take('before'), take('after')]);
    const failed = sides.find((side) => side.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return sides.map((side) => (side.status === 'fulfilled' ? side.value : undefined));
  };
  return {
    compare: (request) =>
      inSlot(() =>
        withFolder(async (own) => {
          const [before, after] = await taken(request, own);
          return compareTaken({ before, after }, { ...request, folder: own, sandbox: confined });
        }),
      ),
    draw: (request) =>
      inSlot(() =>
        withFolder(async (own) => {
          const [before, after] = await taken(request, own);
          return drawTaken({ before, after }, { ...request, folder: own, sandbox: confined, office });
        }),
      ),
  };
}
