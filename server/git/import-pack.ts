import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode } from '../io/io-error.ts';
import type { GitCallOptions } from './environment.ts';
import { gitFailure } from './git-failure.ts';
import { startGit } from './stream.ts';

/**
 * Takes a pack into a repository, durably: every object is hashed and its format checked on the way, so that nothing comes in
 * under a name that is not its own. A pack that breaks off or does not hold what its objects need is refused whole.
 * @throws DevLoopError vault_damaged, git_failed, disk_full
 */
export async function importPack(
  gitDir: string,
  pack: Readable,
  { strict = true, ...options }: ImportOptions = {},
): Promise<void> {
  const args = strict ? [...ARGS, '--strict'] : ARGS;
  const process = startGit(gitDir, args, options);
  process.child.stdout.resume();
  try {
    await pipeline(pack, process.child.stdin);
  } catch (error) {
    // A reader that has the whole pack may be gone before it is told so: its status tells whether that was well.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE')) {
      process.end();
      await process.closed;
      throw error;
    }
  }
  const end = await process.closed;
  if (end.exit !== 0) throw gitFailure({ args, ...end });
}

export interface ImportOptions extends GitCallOptions {
  /** False for the history of somebody else, whose old objects may not keep to the format of today: it comes back as it was. */
  readonly strict?: boolean;
}

const ARGS = ['index-pack', '--stdin', '--fix-thin'];
