import { constants, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * True where a file of a git dir holds exactly this text. Made for what is nearly always so: false says nothing, not even that
 * the file can be read, and whoever needs to know reads it with care.
 * @param name path below the git dir
 */
export function holdsText(gitDir: string, name: string, text: string): boolean {
  try {
    return readFileSync(join(gitDir, name), { encoding: 'utf8', flag: QUICK }) === text;
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return false;
    throw error;
  }
}

/** A pipe in the file's place must not hang it. */
const QUICK = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
