import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bareEnvironment } from '../support/running-server.ts';
import type { ActEnd, Scenario } from './scenario.ts';

/** Calls that change what is on the disk; of openat only those that may create. */
const WRITING_CALLS =
  'write,pwrite64,writev,pwritev,pwritev2,openat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,mkdir,mkdirat,rmdir,fsync,fdatasync,ftruncate,truncate,fchmod,chmod,fchmodat,utimensat,copy_file_range,sendfile';

export interface Injection {
  readonly call: string;
  /** The how-manieth call of its kind in one thread. */
  readonly when: number;
  readonly fault: 'SIGKILL' | 'ENOSPC' | 'EIO' | 'EACCES';
}

const ACT = join(import.meta.dirname, 'act.ts');
const ATTACHED = /attached/;
/** An act that takes longer hangs, a git that is silent for a minute included: it is ended, and that is a failure. */
const HANG_MS = 90_000;

/** Lists the points of a scenario: each writing call of its act, by a traced run without a fault. */
export async function injectionPoints(
  scenario: Scenario,
  folder: string,
  home: string,
): Promise<readonly Omit<Injection, 'fault'>[]> {
  const { work, log } = freshCopy(folder);
  const end = await tracedAct(scenario, work, home, ['-y', '-e', `trace=${WRITING_CALLS}`, '-o', log]);
  if (end.kind !== 'acknowledged') throw new Error(`${scenario.name} without a fault: ${JSON.stringify(end)}`);
  await scenario.check(work, end);
  return pointsOf(readFileSync(log, 'latin1'));
}

/**
 * Runs the act with one fault on a copy of the folder, and checks what is left. Several may run at once in lanes.
 * @returns undefined where the call was not reached this time.
 */
export async function inject(
  scenario: Scenario,
  folder: string,
  { home, lane }: { readonly home: string; readonly lane: number },
  { call, when, fault }: Injection,
): Promise<ActEnd | undefined> {
  const { work, log } = freshCopy(folder, lane);
  // Pipes to other processes are written to as well: only for files is a disk full from then on.
  const onwards = fault === 'ENOSPC' && call !== 'write' ? '+' : '';
  const how = fault === 'SIGKILL' ? `signal=SIGKILL:when=${when}` : `error=${fault}:when=${when}${onwards}`;
  const strace = ['-y', '-e', `trace=${call}`, '-e', `inject=${call}:${how}`, '-o', log];
  try {
    const end = await tracedAct(scenario, work, home, strace);
    await scenario.check(work, end);
    const traced = readFileSync(log, 'latin1');
    return traced.includes('(INJECTED)') || traced.includes('killed by SIGKILL') ? end : undefined;
  } catch (error) {
    if (error instanceof Hang && hurtSignals(readFileSync(log, 'latin1'))) return undefined;
    throw error;
  }
}

class Hang extends Error {}

/**
 * True where the byte failed by which Node's own library gives back the lock on its signals, or the 16 bytes by which it tells itself
 * of one: neither is tried again, what waits for them waits for ever, and no program can do anything about it. No system refuses it; a hang of any other origin is a fault.
 */
function hurtSignals(traced: string): boolean {
  return traced.split('\n').some((line) => line.includes('(INJECTED)') && SIGNALS.test(line));
}

const SIGNALS = /write\(\d+<pipe:\[\d+\]>, (?:"\*", 1|".*", 16)\)/;

function freshCopy(folder: string, lane = 0): { readonly work: string; readonly log: string } {
  const work = `${folder}.work${lane}`;
  rmSync(work, { recursive: true, force: true });
  cpSync(folder, work, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  mkdirSync(work, { recursive: true });
  return { work, log: `${folder}.strace${lane}` };
}

async function tracedAct(scenario: Scenario, folder: string, home: string, strace: readonly string[]): Promise<ActEnd> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ACT, scenario.name, folder], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: bareEnvironment(home, { UV_THREADPOOL_SIZE: '1', NODE_COMPILE_CACHE: join(home, 'compiled') }),
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  // It may be dead before it is told to go.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let hung = false;
  let tracer: Tracer | undefined;
  const limit = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
    tracer?.end();
  }, HANG_MS);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line === 'ready') tracer = await attach(child.pid ?? 0, strace, () => child.stdin.write('go\n'));
  }
  await closed;
  await tracer?.ended;
  clearTimeout(limit);
  if (hung) throw new Hang(`${scenario.name} hangs: no end within ${HANG_MS / 1000} s`);
  if (!lines.includes('ready')) throw new Error(`${scenario.name} could not prepare: ${errors}`);
  return endOf(lines.at(-1) ?? '');
}

interface Tracer {
  /** Resolves when the process and all that it started are gone: a git outlives its server, and may be hurt later than that. */
  readonly ended: Promise<void>;
  end(): void;
}

/** Starts strace on all threads of a process and goes on once it holds them. */
function attach(pid: number, argv: readonly string[], go: () => void): Promise<Tracer> {
  const tracer = spawn('strace', ['-f', '-p', String(pid), ...argv], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => tracer.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    let heard = '';
    tracer.stderr.on('data', (chunk: Buffer) => {
      const before = ATTACHED.test(heard);
      heard += chunk.toString();
      if (before || !ATTACHED.test(heard)) return;
      go();
      resolve({ ended, end: () => tracer.kill('SIGKILL') });
    });
    tracer.once('error', reject);
    tracer.once('exit', () => reject(new Error(`strace ended before it attached: ${heard}`)));
  });
}

function endOf(line: string): ActEnd {
  if (line === 'acknowledged') return { kind: 'acknowledged' };
  if (line.startsWith('refused '))
    return { kind: 'refused', ...(JSON.parse(line.slice(8)) as { code: string; message: string }) };
  return { kind: 'killed' };
}

/** Reads strace's log: thread, call, arguments. The index is that of the call's kind in its thread. */
function pointsOf(log: string): readonly Omit<Injection, 'fault'>[] {
  const counts = new Map<string, number>();
  const points = new Map<string, Omit<Injection, 'fault'>>();
  for (const line of log.split('\n')) {
    const match = /^(\d+)\s+(\w+)\((.*)$/.exec(line);
    if (match === null) continue;
    const [, thread, call = '', rest = ''] = match;
    const when = (counts.get(`${thread} ${call}`) ?? 0) + 1;
    counts.set(`${thread} ${call}`, when);
    if (changesDisk(call, rest)) points.set(`${call} ${when}`, { call, when });
  }
  return [...points.values()];
}

function changesDisk(call: string, rest: string): boolean {
  if (call === 'openat') return rest.includes('O_CREAT');
  return !NO_DISK.test(rest);
}

/** A call's first argument as strace shows it with `-y`. */
const NO_DISK = /^\d+<(?:anon_inode:|pipe:|socket:)/;
