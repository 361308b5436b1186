import { z } from 'zod';

/** What each role hands back, as JSON. The `ok` of tester and integrator is never believed: the server's own run decides. */
const unitId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/);
const argv = z.array(z.string().min(1).max(4096)).min(1).max(64);
const text = z.string().max(20_000);

export const unitSchema = z.strictObject({
  id: unitId,
  title: z.string().min(1).max(200),
  depends_on: z.array(unitId).max(200),
  test_command: argv,
  start_command: argv.optional(),
});

export const pmResultSchema = z.strictObject({
  ok: z.boolean(),
  prd_rev: z.int().positive(),
  change_summary: text.min(1),
  acceptance: z.array(z.union([z.string(), z.looseObject({ id: z.string(), text: z.string() })])).max(1000),
});

export const architectResultSchema = z.strictObject({
  ok: z.boolean(),
  sdd_rev: z.int().positive(),
  units: z.array(unitSchema).min(1).max(200),
  units_count: z.int().positive(),
  change_summary: text.min(1),
  affected_units: z.array(unitId).max(200).optional(),
});

export const coderResultSchema = z.strictObject({
  ok: z.boolean(),
  unit_id: unitId,
  attempt: z.int().positive(),
  summary: text,
});

export const testerResultSchema = z.strictObject({
  ok: z.boolean(),
  unit_id: unitId,
  attempt: z.int().positive(),
  /** The ids of tests that the server's run must find. */
  tests: z.array(z.string().min(1).max(1000)).max(10_000),
  summary: text,
});

export const integratorResultSchema = z.strictObject({
  ok: z.boolean(),
  run_id: z.string().max(63),
  cases_passed: z.int().nonnegative(),
  cases_total: z.int().nonnegative(),
});

export const TRIAGE_CATEGORIES = ['code', 'contract', 'sdd', 'prd', 'test', 'environment'] as const;
export type TriageCategory = (typeof TRIAGE_CATEGORIES)[number];

export const triageResultSchema = z.strictObject({
  run_id: z.string().max(63),
  category: z.enum(TRIAGE_CATEGORIES),
  confidence: z.number().min(0).max(1),
  blamed_units: z.array(unitId).max(200),
  reason: text,
});

export const RESULT_SCHEMAS = {
  pm: pmResultSchema,
  architect: architectResultSchema,
  coder: coderResultSchema,
  tester: testerResultSchema,
  integrator: integratorResultSchema,
  'bug-triager': triageResultSchema,
} as const;

export type UnitSpec = z.infer<typeof unitSchema>;
export type PmResult = z.infer<typeof pmResultSchema>;
export type ArchitectResult = z.infer<typeof architectResultSchema>;
export type CoderResult = z.infer<typeof coderResultSchema>;
export type TesterResult = z.infer<typeof testerResultSchema>;
export type IntegratorResult = z.infer<typeof integratorResultSchema>;
export type TriageResult = z.infer<typeof triageResultSchema>;

export type AgentResult =
  | ({ readonly role: 'pm' } & PmResult)
  | ({ readonly role: 'architect' } & ArchitectResult)
  | ({ readonly role: 'coder' } & CoderResult)
  | ({ readonly role: 'tester' } & TesterResult)
  | ({ readonly role: 'integrator' } & IntegratorResult)
  | ({ readonly role: 'bug-triager' } & TriageResult);
