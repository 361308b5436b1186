import { join } from 'node:path';
import { allEnded } from '../io/all-ended.ts';
import { type Compared, type CompareRequest, compareTaken, type TakenSides } from './compare-taken.ts';
import { type DrawRequest, drawTaken } from './draw-taken.ts';
import { type ReadFolder, readFolder } from './read-folder.ts';
import type { Confinement } from './reader-process.ts';
import { slots } from './slots.ts';
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

/** Documents, and texts, that are worked on at once. */
const AT_ONCE = 2;
/** Comparisons that have documents on the disk at once, those that wait to be read included. */
const ON_DISK = 4;

/** Opens a comparer; nothing is started before it is asked for something. */
export function openComparer({ folder, sandbox, office }: ComparerSetting): Comparer {
  const [inSlot, inTextSlot, onDisk] = [slots(AT_ONCE), slots(AT_ONCE), slots(ON_DISK)];
  let confinement: Promise<Confinement> | undefined;
  const confined = () => (confinement ??= sandbox());
  /** Goes through both sides, then works on them; what was written for it is removed whatever comes of it. */
  async function withSides<Result>(
    request: CompareRequest | DrawRequest,
    work: (sides: TakenSides, folder: ReadFolder) => Promise<Result>,
  ): Promise<Result> {
    const own = readFolder(folder, onDisk);
    try {
      return await work(await takenSides(request, own), own);
    } finally {
      await own.remove();
    }
  }
  const reading = { sandbox: confined, inSlot, inTextSlot };
  return {
    compare: (request) =>
      withSides(request, (sides, own) => compareTaken(sides, { ...request, ...reading, folder: own })),
    draw: (request) =>
      withSides(request, (sides, own) => drawTaken(sides, { ...request, ...reading, folder: own, office })),
  };
}

async function takenSides(request: CompareRequest | DrawRequest, folder: ReadFolder): Promise<TakenSides> {
  const take = async (side: 'before' | 'after') => {
    const content = await request[side]?.();
    return content && takeContent(content, async () => join(await folder.path(), side));
  };
  // Both have ended before the folder goes, also where one fails.
  const [before, after] = await allEnded([take('before'), take('after')]);
  return { before, after };
}
