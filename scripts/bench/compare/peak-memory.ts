import { readdirSync, readFileSync } from 'node:fs';

const EVERY_MS = 10;

/** Watches the resident memory of the largest process below this one; MiB. */
export function peakMemory(): { readonly end: () => number } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, ...descendants(process.pid).map(highWater));
  }, EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      return peak / 1024;
    },
  };
}

function descendants(pid: number): readonly number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ id: Number(name), parent: Number(/^PPid:\s+(\d+)$/m.exec(status(Number(name)))?.[1] ?? 0) }));
  const below = (parent: number): readonly number[] =>
    children.filter((child) => child.parent === parent).flatMap(({ id }) => [id, ...below(id)]);
  return below(pid);
}

/** KiB. */
const highWater = (pid: number): number => Number(/^VmHWM:\s+(\d+)/m.exec(status(pid))?.[1] ?? 0);

/** A process may end at any time. */
function status(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && ['ENOENT', 'ESRCH'].includes(String(error.code))) return '';
    throw error;
  }
}
