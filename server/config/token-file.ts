import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';

/** Absolute path of the file that holds a data folder's token. */
export function tokenFile(dataDir: string): string {
  return join(dataDir, '.devloop', 'token');
}

/**
 * Reads the data folder's token, and makes one at the first use: 256 random bits, in a file that only its owner can read.
 * Only the owner of the data folder may call it.
 * @throws DevLoopError config_invalid where the file holds no token.
 */
export function readOrMakeToken(dataDir: string): string {
  const path = tokenFile(dataDir);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) makeToken(path);
  return readToken(path);
}

function makeToken(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  const token = randomBytes(32).toString('base64url');
  writeFileSync(temporary, `${token}\n`, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(temporary, path);
}

function readToken(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    if (stat.isFile() && (stat.mode & 0o077) !== 0) fchmodSync(fd, 0o600);
    const token = stat.isFile() && stat.size < 1000 ? readFileSync(fd, 'latin1').trim() : '';
    if (/^[\x21-\x7e]{16,512}$/.test(token)) return token;
  } finally {
    closeSync(fd);
  }
  throw new DevLoopError('config_invalid', `${path} holds no token`, {
    data: { faults: [{ setting: 'token', where: path, message: 'must be 16 to 512 visible ASCII characters' }] },
    hint: 'Delete the file: the next start makes a new one.',
  });
}
