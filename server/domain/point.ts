import { z } from 'zod';
import { DevLoopError } from './errors.ts';
import type { Oid } from './ids.ts';

declare const brand: unique symbol;
export type PointId = string & { readonly [brand]: 'PointId' };
/** Names a workspace by where it is: two keys of 16 hex digits, of its parent's path and of its own. */
export type WorkspaceId = string & { readonly [brand]: 'WorkspaceId' };
export type TurnId = string & { readonly [brand]: 'TurnId' };
export type RestoreId = string & { readonly [brand]: 'RestoreId' };

const parser =
  <Id extends string>(what: string, shape: RegExp) =>
  (text: string): Id => {
    if (shape.test(text)) return text as Id;
    throw new DevLoopError('validation_failed', `${what} ${JSON.stringify(text)} is not valid`, { data: { what } });
  };

const STAMPED = /^[0-9]{8}t[0-9]{9}-[0-9a-f]{6}$/;
export const parsePointId = parser<PointId>('point id', STAMPED);
export const parseTurnId = parser<TurnId>('turn id', STAMPED);
export const parseRestoreId = parser<RestoreId>('restore id', STAMPED);
export const parseWorkspaceId = parser<WorkspaceId>('workspace id', /^[0-9a-f]{16}-[0-9a-f]{16}$/);

/** Makes an id that sorts by time; `random` has 6 hex digits. */
export function stampedId(now: Date, random: string): string {
  return `${now
    .toISOString()
    .replace(/[-:.Z]/g, '')
    .toLowerCase()}-${random}`;
}

export const PHASES = ['MANUAL', 'PRE_TURN', 'POST_TURN', 'PRE_RESTORE'] as const;
export type Phase = (typeof PHASES)[number];

const pathText = z.object({ path: z.string(), path_b64: z.string().exactOptional() });
const count = z.int().nonnegative();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const nestedSchema = pathText.extend({
  kind: z.enum(['repo', 'worktree', 'submodule']),
  /** Absent where HEAD is detached or cannot be read. */
  branch: z.string().optional(),
  /** Absent before the first commit. */
  head: z.string().optional(),
  dirty: z.boolean(),
  has_untracked_files: z.boolean(),
  remote_host: z.string().optional(),
  git_history_saved: z.boolean(),
  /** Its history as an encrypted bundle among the large files; `key` names the state of its refs. */
  history: z.object({ key: sha256, sha256, size: count, refs: count }).optional(),
  /** Why the history is not saved although the settings ask for it. */
  history_left_out: z.string().optional(),
  /** Without passwords, tokens and queries. */
  remotes: z.array(z.object({ name: z.string(), url: z.string() })).optional(),
});
/** What a point says of a git repository in the workspace; the root itself has the empty path. */
export type NestedRepository = z.infer<typeof nestedSchema>;

/** point.json */
export const manifestSchema = z.object({
  schema: z.literal(1),
  id: z.string().regex(STAMPED),
  seq: count,
  phase: z.enum(PHASES),
  reason: z.string(),
  actor: z.string().optional(),
  task_id: z.string().optional(),
  run_id: z.string().optional(),
  turn: z.string().optional(),
  name: z.string().optional(),
  pinned: z.boolean(),
  ts: z.string(),
  /** The point equals the one before it. */
  noop: z.boolean(),
  /** False where something could not be read. */
  complete: z.boolean(),
  counts: z.object({ files: count, links: count, folders: count, bytes: count }),
  left_out: z.array(pathText.extend({ reason: z.string() })),
  folders: z.array(pathText.extend({ mode: count })),
  modes: z.array(pathText.extend({ mode: count })),
  large: z.array(pathText.extend({ sha256, size: count })),
  nested: z.array(nestedSchema),
  purged: z.array(pathText).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** A point as it is told: its manifest and the commit that holds it. */
export interface Point extends Manifest {
  readonly commit: Oid;
  /** The tree of the files. */
  readonly files: Oid;
}

/** What a person or program says of a point. */
export interface PointAbout {
  readonly reason: string;
  readonly actor?: string | undefined;
  readonly task_id?: string | undefined;
  readonly run_id?: string | undefined;
  readonly name?: string | undefined;
  /** Pruning never takes it. */
  readonly pin?: boolean | undefined;
}

/** The settings of one workspace. */
export const workspaceSettingsSchema = z.strictObject({
  /** Whether the workspace's own .gitignore files count. */
  gitignore: z.boolean().default(true),
  /** Patterns of an ignore file, added to the defaults. */
  exclude: z.array(z.string().max(4096)).default([]),
  include: z.array(z.string().max(4096)).default([]),
  large_file_bytes: z.int().min(1).optional(),
  max_turns: z.int().min(1).optional(),
  max_age_days: z.number().positive().optional(),
  max_bytes: z.int().min(1).optional(),
  /** Whether points hold the git histories of repositories in the workspace, encrypted. */
  nested_history: z.boolean().optional(),
  /** Whether these hold every stash entry. */
  nested_stash: z.boolean().optional(),
  /** Whether points hold the addresses of remotes, without secrets. */
  nested_remotes: z.boolean().optional(),
  /** Who can decrypt them: recipients of age, which are no secrets. */
  history_recipients: z
    .array(z.string().regex(/^age1[a-z0-9]{20,4000}$/))
    .max(20)
    .optional(),
});
export type WorkspaceSettings = z.infer<typeof workspaceSettingsSchema>;
export type WorkspaceSettingsInput = z.input<typeof workspaceSettingsSchema>;

/**
 * Reads a change of settings as programs write it; `null` puts one back to its default.
 * @throws DevLoopError validation_failed
 */
export function parseSettingsChange(value: unknown): WorkspaceSettingsInput {
  const given = Object.entries(z.record(z.string(), z.unknown()).safeParse(value).data ?? { settings: value });
  const change = Object.fromEntries(given.map(([name, member]) => [name, member === null ? undefined : member]));
  const { error } = workspaceSettingsSchema.safeParse(change);
  if (error === undefined) return change;
  throw new DevLoopError(
    'validation_failed',
    `these are no settings of a workspace: ${error.issues[0]?.message ?? ''}`,
  );
}

const bucketPlaceSchema = z.object({
  kind: z.literal('bucket'),
  /** Address of the bucket itself. */
  url: z.string(),
  region: z.string(),
  /** Chosen at random, and the folder of this workspace's objects in the bucket: two machines never share one. */
  store: z.string().regex(/^[0-9a-f]{32}$/),
});
/** Where the large files of a workspace are kept when it is not its store's own folder. */
export type BucketPlace = z.infer<typeof bucketPlaceSchema>;

/** Where large files can be kept: in the folder of the workspace's store, or in the person's bucket. */
export const OBJECT_TARGETS = ['folder', 'bucket'] as const;
export type ObjectTarget = (typeof OBJECT_TARGETS)[number];

/** workspace.json */
export const workspaceFileSchema = z.object({
  schema: z.literal(1),
  root: z.string(),
  name: z.string().optional(),
  created_at: z.string(),
  settings: workspaceSettingsSchema,
  objects: bucketPlaceSchema.optional(),
  /** Buckets that may hold copies which no point relies on: where a move is under way to, and what one has left. */
  elsewhere: z.array(bucketPlaceSchema).optional(),
});
export type WorkspaceFile = z.infer<typeof workspaceFileSchema>;
