import { z } from 'zod';
import { pathText as toPathText } from '../../domain/byte-path.ts';
import { type Finding, NOT_SCANNED_REASONS } from '../../domain/finding.ts';
import { parseOid } from '../../domain/ids.ts';
import { listOf, oid, pathText } from './common.ts';

export const findingKey = z.strictObject({
  blob: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .transform((text) => parseOid(text))
    .meta({ description: "The file's content" }),
  rule: z
    .string()
    .regex(/^[a-z0-9-]{1,60}$/)
    .meta({ description: 'The kind of secret' }),
});

const finding = z
  .object({
    ...pathText.shape,
    blob: oid,
    rule: z.string(),
    line: z.int().meta({ description: 'Of the first secret of this kind in the file, from 1' }),
    commit: oid.meta({ description: 'The first that held it' }),
    open: z.boolean().meta({ description: 'Whether it keeps the project from leaving' }),
  })
  .meta({ id: 'Finding' });
export const allowedFinding = finding;
export const findingList = listOf(finding)
  .omit({ next: true })
  .extend({
    not_scanned: z
      .array(z.object({ ...pathText.shape, blob: oid, commit: oid, reason: z.enum(NOT_SCANNED_REASONS) }))
      .readonly(),
  });

export function toFinding({ path, ...found }: Finding & { readonly open: boolean }) {
  return { ...found, ...toPathText(path) };
}
