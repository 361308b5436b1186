import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { hasCode } from './io-error.ts';

/**
 * Starts a program as the leader of a group and session of its own, with three pipes and no other descriptor: what the
 * server's own parent left open in it (Node closes the first few only) is covered by /dev/null.
 */
export function spawnPiped(
  [program = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): ChildProcess {
  covers ??= coverInherited();
  return spawn(program, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe', ...covers] });
}

/** False where the system had no descriptors left for the pipes. */
export function hasStreams(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return Boolean(child.stdin && child.stdout && child.stderr);
}

type Cover = 'ignore' | number;

/** One for each descriptor from 3 on; found once: whatever Node itself opens later closes on exec. */
let covers: readonly Cover[] | undefined;

const CLOSES_ON_EXEC = 0o2000000;
const MOST = 1024;

function coverInherited(): readonly Cover[] {
  const inherited = openDescriptors().filter((fd) => fd > 2 && fd < MOST && !closesOnExec(fd));
  const last = Math.max(2, ...inherited);
  if (last === 2) return [];
  const empty = openSync('/dev/null', 'r+');
  return Array.from({ length: last - 2 }, (_, at) => (inherited.includes(at + 3) ? empty : 'ignore'));
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}

/** True also for one that is gone by now, such as the folder's own. */
function closesOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return (Number.parseInt(flags ?? '0', 8) & CLOSES_ON_EXEC) !== 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}
