import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';
import { readBelow, writeBelow } from '../io/safe-path.ts';
import { writeFully } from '../io/write-atomic.ts';
import { keepTorn, moveAside, type OwnFile } from './set-aside.ts';

/** More than this behind the server's own lines is not read to be kept: the file is moved away whole. */
const MOST_KEPT = 64 * 1024 * 1024;

/**
 * Appends lines to the project's copy of a ledger, whose content so far has `before` bytes.
 * @returns false where the copy is not what it was: nothing is appended then.
 */
export function appendToCopy({ root, name }: OwnFile, lines: Uint8Array, before: number): boolean {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  let fd: number;
  try {
    fd = openSync(join(root, name), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o666);
  } catch (error) {
    if (hasCode(error, 'ELOOP', 'EISDIR', 'ENXIO')) return false;
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.nlink !== 1 || stat.size !== before) return false;
    writeFully(fd, lines);
    return true;
  } finally {
    closeSync(fd);
  }
}

/** True where the project's copy is byte for byte what the server wrote, in a file of its own. */
export function copyIsTrue(file: OwnFile, truth: Uint8Array): boolean {
  const content = readCopy(file, truth.length);
  return content === 'absent' ? truth.length === 0 : content !== 'strange' && Buffer.compare(content, truth) === 0;
}

/**
 * Makes the project's copy of a ledger what the server wrote. Lines that a killed server had not copied are added; what is
 * not the server's is set aside.
 * @returns what was set aside, where something was.
 */
export function makeCopyTrue(file: OwnFile, truth: Uint8Array): string | undefined {
  const content = readCopy(file, truth.length + MOST_KEPT);
  if (content === 'absent') {
    if (truth.length > 0) rewrite(file, truth);
    return undefined;
  }
  if (content === 'strange') {
    const where = moveAside(file);
    if (truth.length > 0) rewrite(file, truth);
    return `${file.name} was not a file of its own, or far too long; moved to ${where}`;
  }
  const common = commonLength(content, truth);
  if (common === content.length) {
    if (common < truth.length) rewrite(file, truth);
    return undefined;
  }
  const where = keepTorn(file, content.subarray(common));
  rewrite(file, truth);
  return `${file.name}: ${content.length - common} bytes that the server did not write; kept in ${where}`;
}

function readCopy({ root, name }: OwnFile, limit: number): Buffer | 'absent' | 'strange' {
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (stat === undefined) return 'absent';
  if (!stat.isFile() || stat.nlink !== 1) return 'strange';
  try {
    return readBelow(root, name, limit) ?? 'absent';
  } catch (error) {
    if (hasCode(error, 'too_large', 'path_refused')) return 'strange';
    throw error;
  }
}

/** Whole, in a new file: the old one may have another name outside. */
function rewrite({ root, name, state }: OwnFile, truth: Uint8Array): void {
  const stage = join(state, 'stage');
  makeFolders(stage);
  writeBelow(root, name, truth, { stage });
}

function commonLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && a[length] === b[length]) length++;
  return length;
}
