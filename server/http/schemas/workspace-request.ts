import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { type PathText, pathText } from '../../domain/byte-path.ts';
import {
  OBJECT_TARGETS,
  PHASES,
  parsePointId,
  parseRestoreId,
  parseTurnId,
  parseWorkspaceId,
  workspaceSettingsSchema,
} from '../../domain/point.ts';
import { RESTORE_SCOPES } from '../../domain/workspace-restore.ts';
import { cursor, idInAddress, pageLimit, pathInQuery, requiredPath } from './common.ts';

const STAMPED = '^[0-9]{8}t[0-9]{9}-[0-9a-f]{6}$';
const WORKSPACE = '^[0-9a-f]{16}-[0-9a-f]{16}$';

const workspace = idInAddress(parseWorkspaceId, {
  code: 'workspace_not_found',
  what: 'workspace',
  pattern: WORKSPACE,
});
const stamped = { pattern: STAMPED } as const;
export const atWorkspace = z.strictObject({ ws: workspace });
export const atPoint = atWorkspace.extend({
  id: idInAddress(parsePointId, { code: 'point_not_found', what: 'point', ...stamped }),
});
export const atTurn = atWorkspace.extend({
  turn: idInAddress(parseTurnId, { code: 'not_found', what: 'turn', ...stamped }),
});
export const atRestore = atWorkspace.extend({
  id: idInAddress(parseRestoreId, { code: 'not_found', what: 'restore', ...stamped }),
});

const absolutePath = z
  .string()
  .max(4096)
  .refine((path) => isAbsolute(path) && !path.includes('\0'), 'must be an absolute path')
  .meta({ pattern: '^/', description: 'Absolute path of a folder on the machine of the server' });
const line = (max: number) => z.string().trim().min(1).max(max);
const pattern = line(4096).regex(/^[^\0\n]*$/, 'must be one pattern');
const members = workspaceSettingsSchema.shape;
const settings = {
  gitignore: z.boolean(),
  exclude: z.array(pattern).max(1000),
  include: z.array(pattern).max(1000),
  large_file_bytes: members.large_file_bytes.unwrap(),
  max_turns: members.max_turns.unwrap(),
  max_age_days: members.max_age_days.unwrap(),
  max_bytes: members.max_bytes.unwrap(),
  nested_history: members.nested_history.unwrap(),
  nested_stash: members.nested_stash.unwrap(),
  nested_remotes: members.nested_remotes.unwrap(),
  history_recipients: members.history_recipients.unwrap(),
};

export const newWorkspace = z.strictObject({
  path: absolutePath,
  name: line(200).optional(),
  settings: z.strictObject(settings).partial().optional(),
  attach: z
    .string()
    .regex(new RegExp(WORKSPACE))
    .transform(parseWorkspaceId)
    .optional()
    .meta({ description: 'A workspace whose folder was moved: its history goes on here' }),
});

/** `null` puts a setting back to its default. */
export const workspaceChange = z.strictObject({
  name: line(200).optional(),
  settings: z
    .strictObject({
      gitignore: settings.gitignore.nullable().optional(),
      exclude: settings.exclude.nullable().optional(),
      include: settings.include.nullable().optional(),
      large_file_bytes: settings.large_file_bytes.nullable().optional(),
      max_turns: settings.max_turns.nullable().optional(),
      max_age_days: settings.max_age_days.nullable().optional(),
      max_bytes: settings.max_bytes.nullable().optional(),
      nested_history: settings.nested_history.nullable().optional(),
      nested_stash: settings.nested_stash.nullable().optional(),
      nested_remotes: settings.nested_remotes.nullable().optional(),
      history_recipients: settings.history_recipients.nullable().optional(),
    })
    .default({}),
});

export const workspaceQuery = z.strictObject({ limit: pageLimit.default(50), cursor: cursor.optional() });
export const namedPath = z.strictObject(pathInQuery);
export const objectMove = z.strictObject({ to: z.enum(OBJECT_TARGETS) });

const who = {
  actor: line(200).optional(),
  task_id: line(200).optional(),
  run_id: line(200).optional(),
};
export const newPoint = z.strictObject({
  reason: line(2000),
  ...who,
  name: line(200).optional().meta({ description: 'A point that has one is never pruned' }),
  pin: z.boolean().optional().meta({ description: 'Never pruned' }),
});
export const newTurn = z.strictObject({ ...who, reason: line(2000).optional() });

export const pointQuery = z.strictObject({
  phase: z.enum(PHASES).optional(),
  limit: pageLimit.default(50),
  cursor: cursor.optional(),
});
const against = z
  .string()
  .regex(new RegExp(`^now$|${STAMPED}`))
  .default('now')
  .transform((text) => (text === 'now' ? text : parsePointId(text)))
  .meta({ description: 'Another point, or `now`' });
export const changesQuery = z.strictObject({ against });
export const patchQuery = z.strictObject({ against, ...pathInQuery });
export const pictureQuery = z.strictObject({
  against,
  ...pathInQuery,
  page: z.coerce.number().int().min(1).max(100_000).default(1).meta({ description: 'Of a PDF or a document, from 1' }),
  show: z.enum(['point', 'before', 'after', 'difference']).default('point').meta({
    description:
      '`point`: the file as the point holds it; else the older or newer side of the comparison, or how both differ',
  }),
});

const chosen = z
  .union([
    z.string().max(4096),
    z.strictObject({ path: z.string().max(4096), path_b64: z.base64().max(8192).optional() }),
  ])
  .transform((given): PathText => pathText(requiredPath(typeof given === 'string' ? { path: given } : given)));

/** What a restore is asked for: to which point, where, and which paths. */
export const restoreWish = z
  .strictObject({
    checkpoint: z.string().regex(new RegExp(STAMPED)).transform(parsePointId).optional(),
    turn_offset: z.int().min(0).max(1_000_000).optional().meta({ description: 'Before a turn: 0 is the newest' }),
    target: z.enum(['in_place', 'new']).default('in_place'),
    path: absolutePath.optional(),
    only: z.array(chosen).min(1).max(10_000).optional().meta({ description: 'Only these and what is below them' }),
    scope: z.enum(RESTORE_SCOPES).optional().meta({
      description: '`agent`: only what the turn changed and nobody after it',
    }),
  })
  .refine(({ checkpoint, turn_offset }) => (checkpoint === undefined) !== (turn_offset === undefined), {
    message: 'give either checkpoint or turn_offset',
    path: ['checkpoint'],
  })
  .refine(({ target, path }) => (target === 'new') === (path !== undefined), {
    message: 'a restore into a new folder has a path, one in place has none',
    path: ['path'],
  })
  .refine(({ target, scope }) => target === 'in_place' || scope !== 'agent', {
    message: 'a new folder gets all of a point',
    path: ['scope'],
  });
export const restoreDigest = z.strictObject({ digest: z.string().min(1).max(200) });
