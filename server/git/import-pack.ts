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
 * own. A pack that breaks off is refused whole.
 * @throws DevLoopError vault_damaged, vault_tampered, git_failed, disk_full, timeout
 */
export async function importPack(
  gitDir: string,
  pack: Readable,
  { check = 'strict', idle_ms = IDLE_MS, ...options }: ImportOptions = {},
): Promise<void> {
  const args = [...ARGS, ...CHECKS[check]];
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
  const isWell = end.exit === 0 || (check === 'connected' && end.exit === LEADS_OUT);
  if (!isWell) throw gitFailure({ args, ...end });
}

export interface ImportOptions extends GitCallOptions {
  /**
   * What is looked at besides the hash of each object; `strict` where absent.
   * - `strict`: that all is there which they need, and whether git likes them: for what somebody else made. It dislikes files that
   *   anybody may write, such as a `.gitattributes` with a long line.
   * - `connected`: that all is there which they need: for what is in use already.
   * - `hashes`: no more: for a history that comes back as it was.
   */
  readonly check?: 'strict' | 'connected' | 'hashes';
  /** Milliseconds that git may take for the pack once it has it, and for taking it; 600,000 where absent. */
  readonly idle_ms?: number;
}

const IDLE_MS = 600_000;
const ARGS = ['index-pack', '--stdin', '--fix-thin'];
const CHECKS = { strict: ['--strict'], connected: ['--check-self-contained-and-connected'], hashes: [] } as const;
/** All is well, and objects of the pack need some that the repository had before. */
const LEADS_OUT = 1;
