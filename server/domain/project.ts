import { z } from 'zod';
import { unitSchema } from './agent-results.ts';
import { teamSchema } from './team.ts';

export const PROJECT_STATUSES = [
  'created',
  'running',
  'waiting_approval',
  'paused',
  'blocked',
  'cancelled',
  'shipped',
  'shipped-final',
  'abandoned',
] as const;
export type ProjectStatus = (typeof PROJECT_STATUSES)[number];

/** The statuses that are committed, in project.json; all others are folded from the journal. */
export const MILESTONES = ['created', 'shipped', 'shipped-final', 'abandoned'] as const;

const MINUTE = 60_000;
const MB = 1_000_000;

export const settingsSchema = z.strictObject({
  /** Wait for a person after PRD or SDD. */
  gates: z.strictObject({ prd: z.boolean().default(false), sdd: z.boolean().default(false) }).prefault({}),
  max_parallel_units: z.int().min(1).max(16).default(2),
  attempts: z.int().min(1).max(10).default(3),
  integration_rounds: z.int().min(1).max(10).default(3),
  /** What the next attempt starts from: the files of the red one, or nothing. */
  retry_from: z.enum(['previous', 'fresh']).default('previous'),
  limits: z
    .strictObject({
      wall_ms: z
        .int()
        .min(1000)
        .default(30 * MINUTE),
      idle_ms: z
        .int()
        .min(1000)
        .default(5 * MINUTE),
      output_bytes: z
        .int()
        .min(1000)
        .default(20 * MB),
      write_bytes: z
        .int()
        .min(1000)
        .default(200 * MB),
      test_ms: z
        .int()
        .min(1000)
        .default(5 * MINUTE),
    })
    .prefault({}),
  budget: z
    .strictObject({ tokens: z.int().positive().optional(), cost: z.number().positive().optional() })
    .prefault({}),
  recovery: z.strictObject({ policy: z.enum(['ask', 'commit_as_wip', 'reset_hard']).default('ask') }).prefault({}),
});
export type Settings = z.infer<typeof settingsSchema>;
/** What a person gives: every part optional. */
export type SettingsInput = z.input<typeof settingsSchema>;

/** project.json */
export const projectFileSchema = z.strictObject({
  schema: z.literal(1),
  pid: z.string(),
  cid: z.string(),
  name: z.string().max(200).optional(),
  requirement: z.string().min(1).max(100_000),
  status: z.enum(MILESTONES),
  revisions: z.strictObject({ prd: z.int().nonnegative(), sdd: z.int().nonnegative() }),
  settings: settingsSchema,
  team: teamSchema,
  created_at: z.iso.datetime(),
});
export type ProjectFile = z.infer<typeof projectFileSchema>;

/** units.json: equals the Architect's result. */
export const unitsFileSchema = z.looseObject({
  units: z.array(unitSchema).min(1).max(200),
});
export type UnitsFile = z.infer<typeof unitsFileSchema>;
