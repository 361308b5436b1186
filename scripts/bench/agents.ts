import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, openApp } from '../../server/app.ts';
import type { ProjectId } from '../../server/domain/ids.ts';
import { CALL_TRIES } from '../../server/domain/retry-policy.ts';
import { systemClock } from '../../server/io/clock.ts';
import { createLogger } from '../../server/io/logger.ts';
import { limitRow, median, type Row, shownRow, timed } from './rows.ts';

const FILES = 500;
const ROUNDS = 20;
const WARM_UP = 3;
const TEMPLATES = join(import.meta.dirname, '../../templates');

/** A PM in a few lines of shell: reads its input, changes a file, answers. The first time it writes many files, and always works. */
const AGENT = `
status=$0
rev=$(sed -n 's/.*"prd_rev":\\([0-9]*\\).*/\\1/p' | tail -1)
if [ ! -e prd/notes/1.md ]; then
  mkdir -p prd/notes
  for i in $(seq ${FILES}); do echo "note $i" > prd/notes/$i.md; done
  status=0
fi
echo "rev $rev" > prd/prd.md
printf '\\n\`\`\`json\\n{"ok":true,"prd_rev":%s,"change_summary":"more","acceptance":["works"]}\\n\`\`\`\\n' "$rev"
exit $status
`;
/** The agent with the status that it exits with later on. */
const command = (status: 0 | 1): string[] => ['sh', '-c', AGENT, String(status)];

/**
 * What the loop adds to an agent's own time in a project of some hundred files: journal, ledgers, baseline, seal, process, limits
 * and judgement. The calls fail, so that no commit follows; what a commit adds is shown beside.
 */
export async function benchAgents(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-bench-agents-'));
  try {
    const own = await bare(join(folder, 'bare'));
    const above = async (name: string, sandbox: 'off' | 'required', measure: Measure) =>
      (await looped(join(folder, name), sandbox, measure)) - own;
    const name = `a call in a project of ${FILES} files, ms above the agent's own`;
    return [
      limitRow(name, { ours: await above('free', 'off', failing), theirs: own, limit: 60 }),
      limitRow(`${name}, in the sandbox`, { ours: await above('held', 'required', failing), theirs: own, limit: 150 }),
      shownRow(`${name}, with commit and mirror`, { ours: await above('kept', 'off', committed), theirs: own }),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same agent, started by nobody but Node. */
async function bare(folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const [program = 'sh', ...rest] = command(0);
  return medianOf(async (rev) => {
    const agent = spawn(program, rest, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
    agent.stdout.resume();
    agent.stdin.end(`${JSON.stringify({ input: { prd_rev: rev } })}\n`);
    await once(agent, 'close');
  });
}

/** Milliseconds of a call: the median of many. */
type Measure = (app: App) => Promise<number>;

async function looped(dataDir: string, sandbox: 'off' | 'required', measure: Measure): Promise<number> {
  const app = await openApp({
    dataDir,
    templates: TEMPLATES,
    log: createLogger({ level: 'error', clock: systemClock, write: (line) => process.stderr.write(line) }),
    sandbox,
    path: process.env.PATH ?? '',
    team: { default: { driver: 'recorded' } },
    maxFileBytes: 50_000_000,
    secret: () => undefined,
    onLost: () => {},
  });
  try {
    await app.booted;
    return await measure(app);
  } finally {
    await app.close();
  }
}

/** Each run makes three calls, and is blocked. */
async function failing(app: App): Promise<number> {
  const pid = await started(app, 1);
  await app.loop.reject(pid, 'prd', 'once more');
  await rests(app, pid, 'blocked');
  const took = await medianOf(async () => {
    await app.loop.run(pid);
    await rests(app, pid, 'blocked');
  });
  return took / CALL_TRIES;
}

/** Each rejection makes one call, which is committed. */
async function committed(app: App): Promise<number> {
  const pid = await started(app, 0);
  return medianOf(async () => {
    await app.loop.reject(pid, 'prd', 'once more');
    await rests(app, pid, 'waiting_approval');
  });
}

type Rest = 'blocked' | 'waiting_approval';

/** A project with files that are committed. */
async function started(app: App, status: 0 | 1): Promise<ProjectId> {
  const { pid } = await app.loop.create({
    requirement: 'A bench',
    team: { default: { driver: 'command', command: command(status) } },
    settings: { gates: { prd: true } },
  });
  await app.loop.run(pid);
  await rests(app, pid, 'waiting_approval');
  return pid;
}

async function rests(app: App, pid: ProjectId, rest: Rest): Promise<void> {
  const { status, reason, detail, calls } = await app.loop.settled(pid);
  const failed = calls.at(-1)?.reason;
  if (status !== rest || (rest === 'blocked' && failed !== 'agent_error'))
    throw new Error(`the project is ${status}: ${reason}: ${detail}`);
}

async function medianOf(work: (round: number) => Promise<void>): Promise<number> {
  const took: number[] = [];
  for (let round = 1; round <= ROUNDS + WARM_UP; round++) took.push(await timed(() => work(round)));
  return median(took.slice(WARM_UP));
}
