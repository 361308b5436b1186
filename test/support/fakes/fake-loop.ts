import { DevLoopError } from '../../../server/domain/errors.ts';
import {
  type CompanyId,
  type Oid,
  type ProjectId,
  parseCompanyId,
  parseOid,
  parseProjectId,
  parseRunId,
  parseUnitId,
  type RunId,
} from '../../../server/domain/ids.ts';
import { type ProjectStatus, settingsSchema } from '../../../server/domain/project.ts';
import { DEFAULT_TEAM } from '../../../server/domain/team.ts';
import type { LoopService, NewProject, ProjectView, RecoveryView, RunView } from '../../../server/loop/index.ts';

export const HEAD: Oid = parseOid('a'.repeat(40));
const STARTED = Date.parse('2026-01-01T00:00:00Z');

/** A loop that only keeps states: enough to see what a face asks of it. */
export class FakeLoop implements LoopService {
  readonly projects = new Map<ProjectId, ProjectView>();
  readonly asked: string[] = [];
  private made = 0;
  readonly pendingRecoveries: RecoveryView[] = [];

  async create(input: NewProject) {
    const pid = parseProjectId(`p-${String(this.made++).padStart(8, '0')}`);
    const project = view(pid, input, this.made - 1);
    this.projects.set(pid, project);
    this.asked.push(`create ${input.requirement}`);
    return { pid, cid: project.cid, status: project.status, head: HEAD };
  }
  async list() {
    return [...this.projects.values()];
  }
  async project(pid: ProjectId) {
    const project = this.projects.get(pid);
    if (project === undefined) throw new DevLoopError('project_not_found', `There is no project ${pid}.`);
    return project;
  }
  async remove(pid: ProjectId) {
    await this.project(pid);
    this.projects.delete(pid);
  }
  async run(pid: ProjectId, options: { readonly units?: readonly string[] } = {}) {
    const { status } = await this.project(pid);
    if (status === 'running') throw new DevLoopError('already_running', `Project ${pid} is running.`);
    if (this.pendingRecoveries.some((one) => one.pid === pid)) {
      throw new DevLoopError('recovery_pending', `Project ${pid} waits for an answer.`);
    }
    await this.become(pid, 'running', `run ${options.units?.join(',') ?? ''}`.trim());
  }
  pause = (pid: ProjectId) => this.become(pid, 'paused', 'pause');
  resume = (pid: ProjectId) => this.run(pid);
  cancel = (pid: ProjectId) => this.become(pid, 'cancelled', 'cancel');
  approve = (pid: ProjectId, gate: string, note?: string) => this.become(pid, 'running', `approve ${gate} ${note}`);
  reject = (pid: ProjectId, gate: string, note?: string) => this.become(pid, 'running', `reject ${gate} ${note}`);
  feedback = (pid: ProjectId, text: string) => this.become(pid, 'running', `feedback ${text}`);
  signOff = (pid: ProjectId, user: string) => this.become(pid, 'shipped-final', `sign-off ${user}`);
  abandon = (pid: ProjectId, reason: string) => this.become(pid, 'abandoned', `abandon ${reason}`);
  async units(pid: ProjectId) {
    return (await this.project(pid)).units;
  }
  async runs(pid: ProjectId) {
    await this.project(pid);
    return RUNS;
  }
  async runResult(pid: ProjectId, run: RunId) {
    await this.project(pid);
    const found = RUNS.find((one) => one.run === run);
    if (found === undefined) throw new DevLoopError('run_not_found', `There is no run ${run}.`);
    return { ...found, result: { schema: 1, outcome: found.outcome } };
  }
  async recoveries() {
    return this.pendingRecoveries;
  }
  async answerRecovery(pid: ProjectId, answer: { readonly action: string; readonly snapshot: string }) {
    await this.project(pid);
    const at = this.pendingRecoveries.findIndex((one) => one.pid === pid);
    const pending = this.pendingRecoveries[at];
    if (pending === undefined) throw new DevLoopError('bad_state', 'Nothing waits for an answer.');
    if (pending.snapshot !== answer.snapshot) throw new DevLoopError('plan_stale', 'The files have changed.');
    this.pendingRecoveries.splice(at, 1);
    return answer.action === 'reset_hard' ? { rescue: '20260101-reset' } : { sha: HEAD };
  }
  settled = (pid: ProjectId) => this.project(pid);

  private async become(pid: ProjectId, status: ProjectStatus, asked: string) {
    this.projects.set(pid, { ...(await this.project(pid)), status });
    this.asked.push(asked);
  }
}

const RUNS: readonly RunView[] = Array.from({ length: 7 }, (_, i) => ({
  run: parseRunId(`r-${i}`),
  kind: 'unit',
  unit: parseUnitId('store'),
  round: 1,
  attempt: i + 1,
  outcome: i === 6 ? 'green' : 'red',
  passed: i,
  failed: 6 - i,
  total: 6,
  ts: new Date(STARTED + i * 1000).toISOString(),
}));

function view(pid: ProjectId, input: NewProject, count: number): ProjectView {
  const created_at = new Date(STARTED + Math.floor(count / 2) * 1000).toISOString();
  const cid: CompanyId = parseCompanyId(input.company ?? 'default');
  return {
    pid,
    cid,
    ...(input.name === undefined ? {} : { name: input.name }),
    requirement: input.requirement,
    status: 'created',
    revisions: { prd: 1, sdd: 1 },
    created_at,
    updated_at: created_at,
    path: `/data/companies/${cid}/projects/${pid}`,
    round: 1,
    units: [
      {
        id: parseUnitId('store'),
        title: 'Keeps the items',
        depends_on: [],
        status: 'green',
        round: 1,
        attempt: 2,
        last_run: parseRunId('r-6'),
      },
    ],
    calls: [],
    spent: { calls: 0, tokens: 0, cost: 0 },
    settings: settingsSchema.parse(input.settings ?? {}),
    team: input.team ?? DEFAULT_TEAM,
    head: HEAD,
  };
}
