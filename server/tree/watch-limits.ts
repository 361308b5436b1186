import { readFileSync, statfsSync } from 'node:fs';
import { hasCode } from '../io/io-error.ts';

/** ext, xfs, btrfs, tmpfs, overlay, zfs, f2fs, bcachefs: file systems whose every change goes through this machine's kernel. */
const LOCAL = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010, 0xca451a4e]);

/** Events up to which none was lost. The kernel keeps twice as many for who does not fetch them, and loses the rest without a word. */
export const MOST_EVENTS = queueLength() / 2;

/** True where the system tells of every change in a folder that is made through it. */
export function canWatch(root: string): boolean {
  return process.platform === 'linux' && LOCAL.has(statfsSync(root).type);
}

function queueLength(): number {
  const usual = 16_384;
  try {
    const text = readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8');
    return Number.parseInt(text, 10) || usual;
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'EACCES')) return usual;
    throw error;
  }
}
