import { z } from 'zod';
import { comparisonSchema } from '../../domain/comparison.ts';
import { PHASES, type WorkspaceFile } from '../../domain/point.ts';
import { RESTORE_SCOPES } from '../../domain/workspace-restore.ts';
import { listOf, oid, pathText, timestamp } from './common.ts';

const reasoned = z.object({ ...pathText.shape, reason: z.string() });

export const workspace = z
  .object({
    id: z.string(),
    root: z.string().meta({ description: 'Absolute path of the folder' }),
    name: z.string().optional(),
    created_at: timestamp,
    settings: z.object({
      gitignore: z.boolean(),
      exclude: z.array(z.string()),
      include: z.array(z.string()),
      large_file_bytes: z.int().optional(),
      max_turns: z.int().optional(),
      max_age_days: z.number().optional(),
      max_bytes: z.int().optional(),
      nested_history: z.boolean().optional(),
      nested_stash: z.boolean().optional(),
      nested_remotes: z.boolean().optional(),
      history_recipients: z.array(z.string()).optional(),
    }),
  })
  .meta({ id: 'Workspace' });
export const workspaceList = listOf(workspace);

const nested = z
  .object({
    ...pathText.shape,
    kind: z.enum(['repo', 'worktree', 'submodule']),
    branch: z.string().optional(),
    head: z.string().optional(),
    dirty: z.boolean(),
    has_untracked_files: z.boolean(),
    remote_host: z.string().optional(),
    git_history_saved: z.boolean(),
    history: z
      .object({ key: z.string(), sha256: z.string(), size: z.int(), refs: z.int() })
      .optional()
      .meta({ description: 'Kept as an encrypted git bundle of this size; `key` names the state of its refs' }),
    history_left_out: z
      .string()
      .optional()
      .meta({ description: 'Why it is not kept although the settings ask for it' }),
    remotes: z.array(z.object({ name: z.string(), url: z.string() })).optional(),
  })
  .meta({ id: 'NestedRepository' });

export const point = z
  .object({
    id: z.string(),
    phase: z.enum(PHASES),
    reason: z.string(),
    actor: z.string().optional(),
    task_id: z.string().optional(),
    run_id: z.string().optional(),
    turn: z.string().optional(),
    name: z.string().optional(),
    pinned: z.boolean(),
    ts: timestamp,
    noop: z.boolean().meta({ description: 'Equal to the point before it' }),
    complete: z.boolean().meta({ description: 'False where something could not be read' }),
    counts: z.object({ files: z.int(), links: z.int(), folders: z.int(), bytes: z.int() }),
    left_out: z.array(reasoned).readonly(),
    nested: z.array(nested).readonly(),
    commit: oid,
  })
  .meta({ id: 'Point' });
export const pointList = listOf(point);

const change = z
  .object({
    ...pathText.shape,
    change: z.enum(['added', 'modified', 'deleted', 'type', 'mode', 'renamed']),
    renamed_from: pathText.optional(),
  })
  .meta({ id: 'WorkspaceChange' });
const sides = { from: z.string(), to: z.string() };
export const changes = z.object({ ...sides, items: z.array(change).readonly() });
export const workspaceDiff = z
  .object({
    ...sides,
    patch: z.string(),
    files: z
      .array(
        change.extend({
          additions: z.int().optional(),
          deletions: z.int().optional(),
          opaque: z
            .enum(['binary', 'too_large', 'too_different'])
            .optional()
            .meta({ description: 'Why its lines are not shown' }),
          comparison: comparisonSchema.optional(),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'WorkspaceDiff' });

export const begunTurn = z.object({ turn: z.string(), pre: point });
export const endedTurn = z.object({ turn: z.string(), state: z.enum(['ending', 'ended']) });
export const turnList = listOf(
  z
    .object({
      offset: z.int().meta({ description: 'What a restore takes as turn_offset' }),
      turn: z.string(),
      state: z.enum(['open', 'ended', 'unfinished']),
      pre: point,
      post: point.optional(),
    })
    .meta({ id: 'Turn' }),
);

const plannedFile = z.object({
  ...pathText.shape,
  changed_after: z.boolean().optional().meta({ description: 'Changed after the turn' }),
  type_change: z.boolean().optional(),
});
const folderRow = z.object({
  ...pathText.shape,
  kind: z.enum(['make', 'mode', 'remove']),
  mode: z.int().optional(),
});
export const plan = z
  .object({
    id: z.string(),
    digest: z.string().meta({ description: 'Names the plan and the state that it saw; apply takes it' }),
    point: z.string(),
    adds: z.array(plannedFile).readonly(),
    overwrites: z.array(plannedFile).readonly(),
    deletes: z.array(plannedFile).readonly(),
    modes: z.array(plannedFile).readonly(),
    folders: z.array(folderRow).readonly(),
    kept: z.array(reasoned).readonly(),
    blocked: z.array(reasoned).readonly(),
    bytes: z.int().meta({ description: 'Of content that is written' }),
    nested_moved: z
      .array(z.object({ ...pathText.shape, was: z.string().optional(), is: z.string().optional() }))
      .readonly()
      .meta({ description: 'Repositories whose HEAD is elsewhere: their histories are not restored' }),
  })
  .meta({ id: 'RestorePlan' });

const side = z.object({ kind: z.enum(['file', 'link', 'gitlink']), mode: z.int(), oid: z.string().optional() });
export const report = z
  .object({
    id: z.string(),
    pre: z.string().optional().meta({ description: 'The point of the state before' }),
    changed: z.int().meta({ description: 'Files and folders' }),
    rows: z
      .array(
        z.object({
          ...pathText.shape,
          kind: z.enum(['add', 'overwrite', 'type', 'mode', 'delete']),
          from: side.optional(),
          to: side.optional(),
          changed_after: z.boolean().optional(),
        }),
      )
      .readonly(),
    kept: z.array(reasoned).readonly(),
    blocked: z.array(reasoned).readonly(),
    skipped: z.array(reasoned).readonly().meta({ description: 'Changed by somebody meanwhile, and left so' }),
  })
  .meta({ id: 'RestoreReport' });

export const restoreList = listOf(
  z
    .object({
      id: z.string(),
      point: z.string().meta({ description: 'What the files became' }),
      scope: z.enum(RESTORE_SCOPES).optional(),
      into: z.string().optional().meta({ description: 'The new folder that was written instead' }),
      changed: z.int().meta({ description: 'Files and folders' }),
      pre: z.string().optional().meta({ description: 'The point of the state before' }),
      applied_at: timestamp.optional(),
      undoes: z.string().optional().meta({ description: 'The restore that this one took back' }),
    })
    .meta({ id: 'AppliedRestore' }),
);

export const protectStatus = z
  .object({
    id: z.string(),
    root: z.string(),
    name: z.string().optional(),
    points: z.int(),
    last: z.object({ id: z.string(), ts: timestamp, phase: z.enum(PHASES), complete: z.boolean() }).optional(),
    open_turns: z
      .array(
        z.object({
          turn: z.string(),
          task_id: z.string().optional(),
          actor: z.string().optional(),
          run_id: z.string().optional(),
          since: timestamp,
          pid: z.int(),
          start_time: z.string().optional(),
        }),
      )
      .readonly(),
    not_protected: z.array(reasoned).readonly(),
    nested: z.array(nested).readonly(),
    bytes: z.int().meta({ description: 'Of the store' }),
  })
  .meta({ id: 'ProtectStatus' });
export const explained = z
  .object({
    kind: z
      .enum(['file', 'link', 'folder', 'special'])
      .optional()
      .meta({ description: 'Absent where nothing is there' }),
    included: z.boolean(),
    reason: z.string().optional(),
    rule: z.object({ pattern: z.string(), source: z.string() }).optional(),
    at: pathText.optional(),
  })
  .meta({ id: 'Explained' });
/** A workspace as it is told. */
export function toWorkspace({
  id,
  root,
  file: { name, created_at, settings },
}: {
  readonly id: string;
  readonly root: string;
  readonly file: WorkspaceFile;
}) {
  return { id, root, ...(name !== undefined && { name }), created_at, settings };
}

/** A file's difference without its lines. */
export const toPatchedFile = <Rest extends object>({ patch: _, ...file }: Rest & { readonly patch: Uint8Array }) =>
  file;
