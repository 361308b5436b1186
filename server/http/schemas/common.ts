import { z } from 'zod';
import { type BytePath, bytePathFromText, fromPathText, parseBytePath } from '../../domain/byte-path.ts';
import { DevLoopError, type ErrorCode, isDevLoopError } from '../../domain/errors.ts';
import { parseProjectId, parseRescueId, parseRunId, parseUnitId } from '../../domain/ids.ts';
import { parseRevName } from '../../domain/ref-names.ts';

const ID = '^[a-z0-9][a-z0-9-]{0,62}$';

/** An id in the address: one that cannot be an id names nothing, so it is not found. */
export function idInAddress<Id>(
  parse: (text: string) => Id,
  { code, what, pattern = ID }: { readonly code: ErrorCode; readonly what: string; readonly pattern?: string },
) {
  return z
    .string()
    .meta({ pattern })
    .transform((text): Id => {
      try {
        return parse(text);
      } catch (error) {
        if (!isDevLoopError(error, 'validation_failed')) throw error;
        throw new DevLoopError(code, `There is no ${what} of this name.`, { hint: error.hint ?? '' });
      }
    });
}

export const projectParam = idInAddress(parseProjectId, { code: 'project_not_found', what: 'project' });
export const unitParam = idInAddress(parseUnitId, { code: 'unit_not_found', what: 'unit' });
export const runParam = idInAddress(parseRunId, { code: 'run_not_found', what: 'run' });
export const rescueParam = idInAddress(parseRescueId, { code: 'not_found', what: 'rescue' });

/** `{pid}` in the address. */
export const atProject = z.strictObject({ pid: projectParam });

/** A unit's id in a body or a query. */
export const unitId = z.string().regex(new RegExp(ID)).transform(parseUnitId);

/** A revision's name: full or short hash, tag, HEAD, main, attempts/{unit}/{round}/{attempt}, rescue/{id}. Throws ref_invalid. */
export const revName = z
  .string()
  .meta({
    description: 'Commit id (7 to 40 hex digits), tag, HEAD, main, attempts/{unit}/{round}/{attempt} or rescue/{id}',
  })
  .transform((text) => {
    parseRevName(text);
    return text;
  });

export const pageLimit = z.coerce.number().int().min(1).max(500);
export const cursor = z.string().min(1).max(2000);

/** Query members that name a file: UTF-8 text, or the bytes in base64 where the name is not UTF-8. */
export const pathInQuery = {
  path: z.string().max(4096).optional(),
  path_b64: z.base64().max(8192).optional(),
};

/** The path that a query names; undefined where it names none. Throws path_refused. */
export function pathOf(query: {
  readonly path?: string | undefined;
  readonly path_b64?: string | undefined;
}): BytePath | undefined {
  if (query.path === undefined && query.path_b64 === undefined) return undefined;
  const { path = '', path_b64 } = query;
  if (path === '' && path_b64 === undefined) return undefined;
  const parsed = parseBytePath(path_b64 === undefined ? bytePathFromText(path) : fromPathText({ path, path_b64 }));
  if (parsed !== undefined) return parsed;
  throw new DevLoopError('path_refused', 'The path is not a relative path below the folder.', {
    hint: 'Give a path such as src/index.js, without a leading slash, empty, `.` or `..` segment.',
  });
}

/** The same for a path that must be there. Throws path_refused. */
export function requiredPath(query: Parameters<typeof pathOf>[0]): BytePath {
  const path = pathOf(query);
  if (path !== undefined) return path;
  throw new DevLoopError('path_refused', 'No file is named.', { hint: 'Add path, or path_b64 for its bytes.' });
}

export const pathText = z.object({
  path: z.string(),
  path_b64: z.string().optional().meta({ description: 'The bytes of a name that is not UTF-8' }),
});

export const gate = z.enum(['prd', 'sdd']);
export const timestamp = z.string().meta({ format: 'date-time' });
export const oid = z.string().meta({ pattern: '^[0-9a-f]{40}$' });

/** `{items, next?}`, as every list is. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item).readonly(),
    next: z.string().optional().meta({ description: 'Cursor of the next page' }),
  });
}
