import { z } from 'zod';
import { FAILURE_REASONS } from '../../domain/agent-call.ts';
import { RECOVERY_OPTIONS } from '../../domain/events.ts';
import { PROJECT_STATUSES, settingsSchema } from '../../domain/project.ts';
import { ROLES } from '../../domain/roles.ts';
import { teamSchema } from '../../domain/team.ts';
import { UNIT_OUTCOMES } from '../../domain/verdicts.ts';
import type { ProjectSummary } from '../../loop/index.ts';
import { gate, listOf, oid, pathText, timestamp } from './common.ts';

const status = z.enum(PROJECT_STATUSES);

export const createdProject = z
  .object({ pid: z.string(), cid: z.string(), status, head: oid })
  .meta({ id: 'CreatedProject' });

const summary = {
  pid: z.string(),
  cid: z.string(),
  name: z.string().optional(),
  requirement: z.string(),
  status,
  reason: z.string().optional().meta({ description: 'Why it is blocked' }),
  revisions: z.object({ prd: z.int(), sdd: z.int() }),
  created_at: timestamp,
  updated_at: timestamp,
};
export const projectSummary = z.object(summary).meta({ id: 'ProjectSummary' });
export const projectList = listOf(projectSummary);

export const unit = z
  .object({
    id: z.string(),
    title: z.string(),
    depends_on: z.array(z.string()).readonly(),
    status: z.enum(['waiting', 'coding', 'testing', 'green', 'red', 'failed']),
    round: z.int(),
    attempt: z.int(),
    last_run: z.string().optional(),
  })
  .meta({ id: 'Unit' });
export const unitList = listOf(unit);

const call = z
  .object({
    call: z.string(),
    role: z.enum(ROLES),
    unit: z.string().optional(),
    round: z.int().optional(),
    attempt: z.int().optional(),
    status: z.enum(['running', 'done', 'failed', 'interrupted']),
    reason: z.enum(FAILURE_REASONS).optional(),
    detail: z.string().optional(),
    driver: z.string().optional(),
    source: z.enum(['scripted', 'recorded']).optional(),
    layers: z.array(z.string()).readonly().optional(),
    usage: z
      .object({
        input_tokens: z.number().optional(),
        output_tokens: z.number().optional(),
        cost: z.number().optional(),
      })
      .optional(),
    started_at: timestamp,
    duration_ms: z.number().optional(),
    sha: oid.optional(),
  })
  .meta({ id: 'Call' });

export const recovery = z
  .object({
    pid: z.string(),
    snapshot: z.string(),
    files: z.array(pathText.extend({ change: z.string() })).readonly(),
    options: z.array(z.enum(RECOVERY_OPTIONS)).readonly(),
    inspecting: z.boolean(),
  })
  .meta({ id: 'Recovery' });
export const recoveryList = listOf(recovery);
export const recoverySettled = z.object({ rescue: z.string().optional(), sha: oid.optional() });

export const project = z
  .object({
    ...summary,
    path: z.string().meta({ description: "Absolute path of the project's folder" }),
    detail: z.string().optional(),
    hint: z.string().optional(),
    gate: gate.optional(),
    round: z.int(),
    units: z.array(unit).readonly(),
    calls: z.array(call).readonly(),
    spent: z.object({ calls: z.number(), tokens: z.number(), cost: z.number() }),
    settings: settingsSchema,
    team: teamSchema,
    head: oid,
    recovery: recovery.optional(),
  })
  .meta({ id: 'Project' });

const runSummary = {
  run: z.string(),
  kind: z.enum(['unit', 'integration']),
  unit: z.string().optional(),
  round: z.int(),
  attempt: z.int().optional(),
  outcome: z.enum([...UNIT_OUTCOMES, 'pass', 'fail', 'environment']),
  passed: z.int(),
  failed: z.int(),
  total: z.int(),
  ts: timestamp,
};
export const run = z.object(runSummary).meta({ id: 'Run' });
export const runList = listOf(run);
export const runResult = z
  .object({ ...runSummary, result: z.unknown().meta({ description: 'The content of result.json' }) })
  .meta({ id: 'RunResult' });

/** The members of a list's entry only: a service may know more. */
export function toSummary(item: ProjectSummary): z.input<typeof projectSummary> {
  const { pid, cid, name, requirement, status, reason, revisions, created_at, updated_at } = item;
  return { pid, cid, name, requirement, status, reason, revisions, created_at, updated_at };
}
