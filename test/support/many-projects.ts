import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProjectId, parseCompanyId, parseProjectId, parseRunId } from '../../server/domain/ids.ts';
import { EventLedgers, FileJournal } from '../../server/events/index.ts';
import { MARKER_VARIABLE } from '../../server/io/end-processes.ts';
import { processStartTime } from '../../server/io/process-table.ts';
import { LoopController, type LoopPorts } from '../../server/loop/index.ts';
import { processRecords } from '../../server/sandbox/index.ts';
import { placeOf } from '../../server/vault/project-scan.ts';
import { vaultChanges } from '../../server/vault/vault-changes.ts';
import { vaultFiles } from '../../server/vault/vault-files.ts';
import { vaultGuard } from '../../server/vault/vault-guard.ts';
import { VaultSet } from '../../server/vault/vault-set.ts';
import { projectFolders } from './project-folders.ts';

const COMPANY = parseCompanyId('default');

/** How many projects of each kind a killed server has left. */
export interface Left {
  readonly clean: number;
  readonly dirty: number;
  readonly damaged: number;
  readonly locked: number;
  readonly orphaned: number;
}

export interface ManyProjects {
  readonly pids: Readonly<Record<keyof Left, readonly ProjectId[]>>;
  /** Ids of the processes that were left running. */
  readonly processes: readonly number[];
}

/** Fills a data folder as a server that was killed at work would have left it, faster than such a server could: nothing works beside it. */
export async function manyProjects(dataDir: string, left: Left): Promise<ManyProjects> {
  const { loop, startCall, close } = quietLoop(dataDir);
  const made: ProjectId[] = [];
  const total = Object.values(left).reduce((sum, count) => sum + count, 0);
  for (let i = 0; i < total; i++) made.push((await loop.create({ requirement: `list ${i}` })).pid);
  const take = (count: number) => made.splice(0, count);
  const pids = {
    dirty: take(left.dirty),
    damaged: take(left.damaged),
    locked: take(left.locked),
    orphaned: take(left.orphaned),
    clean: made,
  };
  for (const pid of pids.orphaned) await startCall(pid);
  await close();
  const root = (pid: ProjectId) => placeOf(dataDir, COMPANY, pid).root;
  for (const [i, pid] of pids.dirty.entries()) writeFileSync(join(root(pid), `forgotten-${i}.txt`), 'left');
  for (const [i, pid] of pids.damaged.entries()) DAMAGES[i % DAMAGES.length]?.(join(root(pid), '.git'));
  for (const [i, pid] of pids.locked.entries()) leaveLock(join(root(pid), '.git', LOCKS[i % LOCKS.length] ?? ''));
  return { pids, processes: pids.orphaned.map((pid) => leaveProcess(dataDir, root(pid))) };
}

const LOCKS = ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock', 'refs/heads/main.lock'];
const DAMAGES: readonly ((gitDir: string) => void)[] = [
  (gitDir) => rmSync(gitDir, { recursive: true }),
  (gitDir) => rmSync(join(gitDir, 'objects'), { recursive: true }),
  (gitDir) => writeFileSync(join(gitDir, 'refs/heads/main'), 'no id\n'),
  (gitDir) => {
    for (const name of readdirSync(join(gitDir, 'objects/pack'))) rmSync(join(gitDir, 'objects/pack', name));
  },
  (gitDir) => {
    rmSync(gitDir, { recursive: true });
    writeFileSync(gitDir, 'gitdir: /nonexistent\n');
  },
];

/** The loop over a real data folder, without mirrors, and with agents that never answer. */
function quietLoop(dataDir: string) {
  mkdirSync(join(dataDir, 'companies'), { recursive: true });
  const projects = projectFolders(dataDir);
  const locate = (pid: ProjectId) => projects.locate(pid);
  const clock = { now: () => new Date() };
  const log = { warn: () => {} };
  const vaults = new VaultSet({ locate, settings: { max_file_bytes: 50_000_000, now: clock.now } });
  const ledgers = new EventLedgers({ dataDir, locate, clock, log });
  const calls: (() => void)[] = [];
  let count = 0;
  const ports: LoopPorts = {
    vault: { ...vaultChanges(vaults), ...vaultFiles(vaults), ...vaultGuard(vaults), attempts: async () => [] },
    ledgers,
    projects: projects as unknown as LoopPorts['projects'],
    journal: new FileJournal(locate),
    agents: {
      callAgent: () => {
        calls.shift()?.();
        return new Promise<never>(() => {});
      },
    },
    verdicts: {
      runUnit: () => Promise.reject(new Error('no runs')),
      runIntegration: () => Promise.reject(new Error('no runs')),
    },
    clock,
    ids: {
      projectId: () => parseProjectId(`p-${(count++).toString(36).padStart(8, '0')}`),
      runId: () => parseRunId('run-1'),
    },
    log,
  };
  const loop = new LoopController(ports);
  return {
    loop,
    /** Resolves when the project's first call is under way. */
    startCall: async (pid: ProjectId) => {
      const called = new Promise<void>((resolve) => calls.push(resolve));
      await loop.run(pid);
      await called;
    },
    close: async () => {
      await ledgers.closeAll();
      vaults.close();
    },
  };
}

function leaveLock(path: string): void {
  writeFileSync(path, '');
  utimesSync(path, new Date(0), new Date(0));
}

/** A process as an agent's, noted and not ended. */
function leaveProcess(dataDir: string, root: string): number {
  const marker = randomBytes(16).toString('hex');
  const noted = processRecords(join(dataDir, '.devloop')).forProject(root).open({ call: 'c-1', marker });
  const child = spawn('sleep', ['3600'], {
    detached: true,
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', [MARKER_VARIABLE]: marker },
  });
  child.unref();
  const pid = child.pid ?? 0;
  noted.started({ pid, start_time: processStartTime(pid), marker });
  return pid;
}
