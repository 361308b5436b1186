import { z } from 'zod';
import type { PathText } from './byte-path.ts';
import type { PointId, RestoreId } from './point.ts';

/** Whether all that differs goes back, or only what a turn changed and nobody changed after it. */
export const RESTORE_SCOPES = ['all', 'agent'] as const;
export type RestoreScope = (typeof RESTORE_SCOPES)[number];

const pathText = z.object({ path: z.string(), path_b64: z.string().exactOptional() });
const side = z.object({ kind: z.enum(['file', 'link', 'gitlink']), mode: z.int(), oid: z.string().optional() });

const row = pathText.extend({
  kind: z.enum(['add', 'overwrite', 'type', 'mode', 'delete']),
  from: side.optional(),
  to: side.optional(),
  /** The file was changed after the turn ended that the restore goes back before. */
  changed_after: z.boolean().optional(),
});
/** One file that a restore changes. */
export type RestoreRow = z.infer<typeof row>;

const folderRow = pathText.extend({ kind: z.enum(['make', 'mode', 'remove']), mode: z.int().optional() });
export type RestoreFolderRow = z.infer<typeof folderRow>;

const targetSchema = z.object({
  point: z.string(),
  scope: z.enum(RESTORE_SCOPES).optional(),
  /** Only these and what is below them. */
  only: z.array(pathText).optional(),
  /** Exactly these. */
  exactly: z.array(pathText).optional(),
  /** Absolute path of a new folder that is written instead. */
  into: z.string().optional(),
});
export type RestoreTarget = z.infer<typeof targetSchema>;

/** restores/{id}.json */
export const restoreRecordSchema = z.object({
  schema: z.literal(1),
  id: z.string(),
  digest: z.string(),
  state: z.enum(['planned', 'applied']),
  target: targetSchema,
  rows: z.array(row),
  folders: z.array(folderRow),
  made_at: z.string(),
  pre: z.string().optional(),
  applied_at: z.string().optional(),
  undoes: z.string().optional(),
});
export type RestoreRecord = z.infer<typeof restoreRecordSchema>;

/** A plan as it is shown. Nothing was written for it. */
export interface RestoreView {
  readonly id: RestoreId;
  /** Names the plan and the state of the files that it saw. */
  readonly digest: string;
  readonly point: PointId;
  readonly rows: readonly RestoreRow[];
  readonly folders: readonly RestoreFolderRow[];
  /** Differs and stays as it is. */
  readonly kept: readonly (PathText & { readonly reason: string })[];
  /** Differs and cannot be restored. */
  readonly blocked: readonly (PathText & { readonly reason: string })[];
  /** Bytes of content that are written. */
  readonly bytes: number;
  /** Repositories whose HEAD is not where it was: their histories are not restored. */
  readonly nested_moved: readonly (PathText & { readonly was?: string; readonly is?: string })[];
}

/** What a restore did. */
export interface RestoreReport {
  readonly id: RestoreId;
  /** The point of the state before; absent where nothing had to be changed. */
  readonly pre?: PointId;
  readonly changed: number;
  readonly rows: readonly RestoreRow[];
  readonly kept: RestoreView['kept'];
  readonly blocked: RestoreView['blocked'];
  /** Was changed by somebody while the restore ran; it is as they left it. */
  readonly skipped: RestoreView['kept'];
}
