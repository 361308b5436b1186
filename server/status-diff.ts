import { setImmediate as nextTurn } from 'node:timers/promises';
import { textDiff } from './compare/index.ts';
import type { BytePath } from './domain/byte-path.ts';
import type { FileChange } from './domain/commit.ts';
import { isDevLoopError } from './domain/errors.ts';
import type { ProjectId } from './domain/ids.ts';
import type { HttpServices } from './http/index.ts';
import { hasCode } from './io/io-error.ts';
import { readBelow, readLinkBelow } from './io/safe-path.ts';
import type { GitVault } from './vault/index.ts';

type StatusDiff = HttpServices['vault']['statusDiff'];

export interface StatusDiffParts {
  readonly vault: Pick<GitVault, 'status' | 'readFile'>;
  /** Where a project's folder is. */
  readonly locate: (pid: ProjectId) => Promise<{ readonly root: string }>;
}

const MOST_BYTES = 2 << 20;
/** Of lines that are shown; files after them are shown as differing only. */
const MOST_IN_ALL = 64 << 20;
const AT_ONCE = 50;

/** Compares what lies in a project's folder with HEAD, line by line: what a commit of all of it would bring. */
export function statusDiff({ vault, locate }: StatusDiffParts): StatusDiff {
  return async (pid) => {
    const [{ files }, { root }] = await Promise.all([vault.status(pid), locate(pid)]);
    const compared: Compared[] = [];
    let bytes = 0;
    for (const [i, file] of files.entries()) {
      // Others are answered between.
      if (i % AT_ONCE === AT_ONCE - 1) await nextTurn();
      const from = file.change === 'added' ? undefined : await contentOf(vault, pid, file.path);
      const to = file.change === 'deleted' ? undefined : bytes < MOST_IN_ALL ? onDisk(root, file.path) : OPAQUE;
      const one = comparedFile(file, { from, to });
      bytes += one.patch.length;
      compared.push(one);
    }
    return { files: compared.map(({ file }) => file), patch: Buffer.concat(compared.map(({ patch }) => patch)) };
  };
}

async function contentOf(vault: StatusDiffParts['vault'], pid: ProjectId, path: BytePath) {
  try {
    return (await vault.readFile(pid, 'HEAD', path)).content;
  } catch (error) {
    // A nested repository, which has no content, or a commit that came in between.
    if (isDevLoopError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** What is not shown line by line. */
const OPAQUE = 'opaque';

/** The file, or the text of the link; undefined where it went away meanwhile. */
function onDisk(root: string, path: BytePath): Uint8Array | undefined | typeof OPAQUE {
  try {
    return readLinkBelow(root, path) ?? readBelow(root, path, MOST_BYTES);
  } catch (error) {
    if (hasCode(error, 'too_large', 'path_refused')) return OPAQUE;
    throw error;
  }
}

interface Sides {
  readonly from: Uint8Array | undefined;
  readonly to: Uint8Array | undefined | typeof OPAQUE;
}

interface Compared {
  readonly file: FileChange;
  readonly patch: Buffer;
}

function comparedFile(file: FileChange, { from, to }: Sides): Compared {
  const name = Buffer.from(file.path, 'latin1').toString();
  const head = `diff --git a/${name} b/${name}\n`;
  const diff = to === OPAQUE ? ({ kind: OPAQUE } as const) : textDiff({ path: name, from, to, limit: MOST_BYTES });
  if (diff.kind === OPAQUE) return { file, patch: Buffer.from(`${head}Binary files a/${name} and b/${name} differ\n`) };
  if (diff.kind === 'same') return { file: { ...file, additions: 0, deletions: 0 }, patch: Buffer.from(head) };
  const { additions, deletions, patch } = diff;
  return { file: { ...file, additions, deletions }, patch: Buffer.concat([Buffer.from(head), patch]) };
}
