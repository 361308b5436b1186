import { z } from 'zod';
import { type BytePath, pathText as toPathText } from '../../domain/byte-path.ts';
import type { CommitInfo, FileChange, TreeEntry } from '../../domain/commit.ts';
import { UNIT_OUTCOMES } from '../../domain/verdicts.ts';
import { cursor, listOf, oid, pageLimit, pathInQuery, pathText, revName, timestamp, unitId } from './common.ts';

// Requests.

export const ARCHIVE_FORMATS = ['zip', 'tar', 'tar.gz'] as const;

export const logQuery = z.strictObject({
  limit: pageLimit.default(50),
  cursor: cursor.optional(),
  since: z.union([z.iso.datetime({ offset: true }), z.iso.date()]).optional(),
  grep: z.string().min(1).max(500).optional().meta({ description: 'Plain text in the message' }),
  author: z.string().min(1).max(200).optional().meta({ description: "Plain text in the author's name or email" }),
  ...pathInQuery,
});
export const treeQuery = z.strictObject({ ref: revName.default('HEAD'), ...pathInQuery });
export const diffQuery = z.strictObject({ from: revName, to: revName.default('HEAD'), ...pathInQuery });
export const archiveQuery = z.strictObject({
  ref: revName.default('HEAD'),
  format: z.enum(ARCHIVE_FORMATS).default('zip'),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/?$/)
    .optional()
    .meta({ description: 'One leading folder for every entry' }),
});
export const newTag = z.strictObject({
  name: z.string().min(1).max(100),
  ref: revName.default('HEAD'),
  message: z.string().trim().min(1).max(2000).optional(),
});
export const reset = z.strictObject({ ref: revName.default('HEAD') });
export const revert = z.strictObject({ rev: revName });
export const bisect = z.strictObject({
  good: revName,
  bad: revName.default('HEAD'),
  check: z.union([
    z.strictObject({ unit: unitId }),
    z.strictObject({ case: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/) }),
  ]),
});

// Responses.

export const commit = z
  .object({
    sha: oid,
    parents: z.array(oid).readonly(),
    subject: z.string(),
    author: z.object({ name: z.string(), email: z.string() }),
    ts: timestamp,
    trailers: z.record(z.string(), z.string()),
    refs: z.array(z.string()).readonly(),
  })
  .meta({ id: 'Commit' });
export const commitList = listOf(commit);

export const fileChange = z
  .object({
    ...pathText.shape,
    change: z.enum(['added', 'modified', 'deleted', 'type', 'mode']),
    additions: z.int().optional(),
    deletions: z.int().optional(),
  })
  .meta({ id: 'FileChange' });
export const commitDetail = commit.extend({ files: z.array(fileChange).readonly() }).meta({ id: 'CommitDetail' });
export const diffBody = z.object({ patch: z.string(), files: z.array(fileChange).readonly() }).meta({ id: 'Diff' });

export const tag = z.object({ name: z.string(), sha: oid, message: z.string(), ts: timestamp }).meta({ id: 'Tag' });
export const tagList = listOf(tag);
export const madeTag = z.object({ name: z.string(), sha: oid });

const TREE_KINDS = ['file', 'executable', 'link', 'folder', 'gitlink'] as const;
export const treeEntry = z
  .object({
    ...pathText.shape,
    kind: z.enum(TREE_KINDS),
    oid,
    size: z.int().optional(),
  })
  .meta({ id: 'TreeEntry' });
export const treeList = listOf(treeEntry);

export const attempt = z
  .object({
    unit: z.string(),
    round: z.int(),
    attempt: z.int(),
    verdict: z.enum([...UNIT_OUTCOMES, 'failed']),
    ref: z.string(),
    sha: oid,
    parent: oid,
    run: z.string().optional(),
  })
  .meta({ id: 'Attempt' });
export const attemptList = listOf(attempt);

export const manifestQuery = z.strictObject({ ref: revName.default('HEAD') });
export const manifest = z
  .object({
    commit: oid,
    tree: oid,
    files: z
      .array(
        z.object({
          ...pathText.shape,
          kind: z.enum(TREE_KINDS),
          size: z.int(),
          sha256: z.string().meta({ pattern: '^[0-9a-f]{64}$' }),
        }),
      )
      .readonly(),
  })
  .meta({ id: 'Manifest' });
export const maintained = z.object({
  packed: z.boolean().meta({ description: 'False where there was nothing to put together' }),
  expired: z
    .array(z.string())
    .readonly()
    .meta({ description: 'Rescues and attempts that are not listed any more, by name' }),
});
export const verified = z.object({ problems: z.array(z.string()).readonly() });

export const rescue = z
  .object({ id: z.string(), sha: oid, reason: z.string(), ts: timestamp, files: z.int() })
  .meta({ id: 'Rescue' });
export const rescueList = listOf(rescue);
export const restored = z.object({
  rescue: z.string().optional().meta({ description: 'Where the content that was overwritten is kept' }),
  left: z
    .array(z.object({ ...pathText.shape, reason: z.string() }))
    .readonly()
    .meta({ description: 'Differs still, and why' }),
});

export const treeStatus = z
  .object({
    dirty: z.boolean(),
    files: z.array(fileChange).readonly(),
    snapshot: z.string().meta({ description: 'Names exactly this state; also the ETag, for If-Match' }),
  })
  .meta({ id: 'Status' });
export const reverted = z.object({ kind: z.enum(['reverted', 'already_reverted']), sha: oid.optional() });
export const bisected = z.object({
  first_bad: commit,
  tried: z.array(z.object({ sha: oid, verdict: z.enum(['good', 'bad', 'skipped']) })).readonly(),
});

// Domain values as responses.

export const toCommit = (info: CommitInfo) => ({ ...info, trailers: { ...info.trailers } });
export const toRestored = <Rest extends object>({
  left,
  ...rest
}: Rest & { readonly left: readonly { readonly path: BytePath; readonly reason: string }[] }) => ({
  ...rest,
  left: left.map(({ path, reason }) => ({ ...toPathText(path), reason })),
});
export const toFileChange = ({ path, ...rest }: FileChange) => ({ ...toPathText(path), ...rest });
export const toTreeEntry = ({ path, ...rest }: TreeEntry) => ({ ...toPathText(path), ...rest });
