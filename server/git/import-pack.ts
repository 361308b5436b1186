import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import type { GitCallOptions } from './environment.ts';
import { gitFailure } from './git-failure.ts';
import { SilenceClock } from './silence-clock.ts';
import { startGit } from './stream.ts';

/**
 * Takes a pack into a repository, durably: every object is hashed on the way, so that nothing comes in under a name that is not its
 * own. A pack that breaks off, or does not hold what its objects need, is refused whole.
 * @throws DevLoopError vault_damaged, vault_tampered, git_failed, disk_full, timeout
 */
export async function importPack(
  gitDir: string,
  pack: Readable,
  { whole = true, idle_ms = IDLE_MS, ...options }: ImportOptions = {},
): Promise<void> {
  const args = whole ? [...ARGS, WHOLE] : ARGS;
  const process = startGit(gitDir, args, options);
  process.child.stdout.resume();
  let hung: DevLoopError | undefined;
  const clock = new SilenceClock(gitDir, {
    idle_ms,
    onGiveUp: (error) => {
      hung = error;
      process.end();
    },
  });
  clock.start();
  try {
    await pipeline(pack, process.child.stdin);
    // It has all, and hashes it before it says a word.
    clock.refresh();
  } catch (error) {
    // A reader that has the whole pack may be gone before it is told so: its status tells whether that was well.
    if (!hasCode(error, 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE')) {
      clock.stop();
      process.end();
      await process.closed;
      throw hung ?? error;
    }
  }
  const end = await process.closed;
  clock.stop();
  if (hung !== undefined) throw hung;
  const isWell = end.exit === 0 || (whole && end.exit === LEADS_OUT);
  if (!isWell) throw gitFailure({ args, ...end });
}

export interface ImportOptions extends GitCallOptions {
  /**
   * False for the history of somebody else, which comes back as it was. Else all must be there that the objects need. Whether git
   * likes them is not asked: a file that anybody may write, such as a `.gitattributes` with a long line, and old commits fall short.
   */
  readonly whole?: boolean;
  /** Milliseconds that git may take for the pack once it has it, and for taking it; 600,000 where absent. */
  readonly idle_ms?: number;
}

const IDLE_MS = 600_000;
const ARGS = ['index-pack', '--stdin', '--fix-thin'];
const WHOLE = '--check-self-contained-and-connected';
/** All is well, and objects of the pack need some that the repository had before. */
const LEADS_OUT = 1;
