import { readdirSync, readFileSync } from 'node:fs';

/** One live process as the kernel's table shows it; zombies are not live. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Clock ticks since boot: with the pid, it names a process for certain. */
  readonly start_time: string;
}

/** All live processes that this system shows; empty where it has no /proc. */
export function processTable(): readonly ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  for (const name of readProc('/proc', () => readdirSync('/proc')) ?? []) {
    const entry = /^\d+$/.test(name) ? readEntry(Number(name)) : undefined;
    if (entry !== undefined && !entry.zombie) entries.push(entry);
  }
  return entries;
}

/** When a process started, in clock ticks since boot; also a zombie's. Undefined where there is none, or no /proc. */
export function processStartTime(pid: number): string | undefined {
  return readEntry(pid)?.start_time;
}

/** True while exactly this process lives; a zombie does not. */
export function processLives(process: { readonly pid: number; readonly start_time: string }): boolean {
  const entry = readEntry(process.pid);
  return entry !== undefined && !entry.zombie && entry.start_time === process.start_time;
}

/** True where the environment that a process was started with holds exactly this variable; false where it may not be read. */
export function processHasVariable(pid: number, variable: string): boolean {
  const environ = readProc(`/proc/${pid}/environ`, (path) => readFileSync(path));
  return environ !== undefined && `\0${environ.toString('latin1')}`.includes(`\0${variable}\0`);
}

function readEntry(pid: number): (ProcessEntry & { readonly zombie: boolean }) | undefined {
  const stat = readProc(`/proc/${pid}/stat`, (path) => readFileSync(path, 'latin1'));
  if (stat === undefined) return undefined;
  // The program's name stands in parentheses and may hold any character: fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  // The first thread may have ended while others run on: the process shows as a zombie then, and is none.
  const zombie = state === 'X' || (state === 'Z' && Number(fields[17]) <= 1);
  return { pid, parent: Number(parent), group: Number(group), start_time: fields[19] ?? '', zombie };
}

const GONE = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'ENOTDIR']);

function readProc<Value>(path: string, read: (path: string) => Value): Value | undefined {
  try {
    return read(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && GONE.has(String(error.code))) return undefined;
    throw error;
  }
}
