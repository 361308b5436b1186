import type { Stats } from 'node:fs';
import type { Expected, Step } from './restore-steps.ts';

/** True where what is there now, or that nothing is, is what was seen. @param linked inodes whose change time does not count */
export function isWhatWasSeen(
  now: Stats | undefined,
  from: Expected | undefined,
  linked?: ReadonlySet<number>,
): boolean {
  return now === undefined || from === undefined ? now === from : isSame(now, from, linked);
}

/** The same for something that is there. */
export function isSame(now: Stats, from: Expected, linked?: ReadonlySet<number>): boolean {
  return (
    kindOf(now) === from.kind &&
    now.ino === from.ino &&
    now.size === from.size &&
    now.mtimeMs === from.mtime &&
    (now.ctimeMs === from.ctime || linked?.has(from.ino) === true)
  );
}

export function kindOf(stats: Stats): 'file' | 'link' | 'other' {
  return stats.isFile() ? 'file' : stats.isSymbolicLink() ? 'link' : 'other';
}

/** Files that several steps name, as hard links: a step on one name changes the time that the others have. */
export function linkedInodes(steps: readonly Step[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const linked = new Set<number>();
  for (const step of steps) {
    const ino = 'from' in step ? step.from?.ino : undefined;
    if (ino === undefined) continue;
    if (seen.has(ino)) linked.add(ino);
    seen.add(ino);
  }
  return linked;
}
