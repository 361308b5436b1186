import { Readable } from 'node:stream';
import { DevLoopError } from '../../domain/errors.ts';
import { type PointId, parsePointId } from '../../domain/point.ts';
import { pointAnswer } from '../../domain/point-answer.ts';
import type { Side, Workspace } from '../../workspace/index.ts';
import { contentType } from '../content-type.ts';
import { pageOf } from '../page-of.ts';
import { BUCKET_CODES, downloadRoute, jsonRoute, ROUTE_BASES } from '../route.ts';
import { pathOf, requiredPath } from '../schemas/common.ts';
import { changes, point, pointList, toPatchedFile, workspaceDiff } from '../schemas/workspace-answer.ts';
import {
  atPoint,
  atWorkspace,
  changesQuery,
  namedPath,
  newPoint,
  patchQuery,
  pictureQuery,
  pointQuery,
} from '../schemas/workspace-request.ts';

const base = ROUTE_BASES[1];
const DIFF_TYPES = ['application/json', 'text/x-diff'] as const;

export const takeCheckpoint = jsonRoute('POST /workspaces/:ws/checkpoints', {
  base,
  summary: 'Keep the folder as it is now as a point',
  params: atWorkspace,
  body: newPoint,
  status: 201,
  response: point,
  codes: [
    'workspace_not_found',
    'not_found',
    'store_damaged',
    'disk_full',
    'permission_denied',
    'busy',
    ...BUCKET_CODES,
  ],
  starts: true,
  handle: async ({ params, body }, { workspaces }) =>
    pointAnswer(await workspaces.use(params.ws, (found) => found.takePoint(body))),
});

export const listCheckpoints = jsonRoute('GET /workspaces/:ws/checkpoints', {
  base,
  summary: 'List points, newest first',
  params: atWorkspace,
  query: pointQuery,
  response: pointList,
  codes: ['workspace_not_found', 'store_damaged'],
  handle: async ({ params, query: { phase, ...query } }, { workspaces }) => {
    const all = await workspaces.use(params.ws, (found) => found.points());
    const wanted = all.filter((one) => phase === undefined || one.phase === phase);
    const page = pageOf(wanted, { ...query, keyOf: ({ seq }) => String(seq).padStart(16, '0') });
    return { ...page, items: page.items.map(pointAnswer) };
  },
});

export const getCheckpoint = jsonRoute('GET /workspaces/:ws/checkpoints/:id', {
  base,
  summary: 'Show a point: what it holds, what was left out and why, the repositories in it',
  params: atPoint,
  response: point,
  codes: ['workspace_not_found', 'point_not_found', 'store_damaged'],
  handle: async ({ params }, { workspaces }) =>
    pointAnswer(await workspaces.use(params.ws, (found) => found.point(params.id))),
});

export const listChanges = jsonRoute('GET /workspaces/:ws/checkpoints/:id/changes', {
  base,
  summary: 'List the files in which a point differs from another, or from now: from the older one to the newer',
  params: atPoint,
  query: changesQuery,
  response: changes,
  codes: ['workspace_not_found', 'not_found', 'point_not_found', 'store_damaged'],
  handle: ({ params, query }, { workspaces }) =>
    workspaces.use(params.ws, async (found) => {
      const { from, to } = await byAge(found, params.id, query.against);
      return { from, to, items: await found.changes(from, to) };
    }),
});

export const getPatch = downloadRoute('GET /workspaces/:ws/checkpoints/:id/diff', {
  base,
  summary: 'Compare a point line by line with another, or with now: from the older one to the newer; by Accept',
  params: atPoint,
  query: patchQuery,
  types: DIFF_TYPES,
  schema: workspaceDiff,
  codes: ['workspace_not_found', 'not_found', 'point_not_found', 'path_refused', 'store_damaged', ...BUCKET_CODES],
  handle: async ({ params, query, accepts, signal }, { workspaces }) => {
    const sides = await workspaces.use(params.ws, (found) => byAge(found, params.id, query.against));
    const files = await workspaces.patch(params.ws, { ...sides, path: pathOf(query), signal });
    const patch = Buffer.concat(files.map((file) => file.patch));
    if (accepts(DIFF_TYPES) === 'text/x-diff') return { type: 'text/x-diff; charset=utf-8', content: patch };
    const body = { ...sides, patch: patch.toString(), files: files.map(toPatchedFile) };
    return { type: 'application/json; charset=utf-8', content: JSON.stringify(body) };
  },
});

export const drawPointFile = downloadRoute('GET /workspaces/:ws/checkpoints/:id/preview', {
  base,
  summary: 'Draw a picture, a page of a PDF, or where the system has LibreOffice a slide or page, or how it differs',
  params: atPoint,
  query: pictureQuery,
  types: ['image/png'],
  codes: ['workspace_not_found', 'not_found', 'point_not_found', 'path_refused', 'store_damaged', ...BUCKET_CODES],
  handle: async ({ params, query: { against, show, page, ...named }, signal }, { workspaces }) => {
    const path = requiredPath(named);
    const sides =
      show === 'point'
        ? { from: params.id, to: params.id, show: 'before' as const }
        : { ...(await workspaces.use(params.ws, (found) => byAge(found, params.id, against))), show };
    return { type: 'image/png', content: await workspaces.picture(params.ws, { ...sides, path, page, signal }) };
  },
});

export const readPointFile = downloadRoute('GET /workspaces/:ws/checkpoints/:id/file', {
  base,
  summary:
    'Read a file of a point: UTF-8 text as text, anything else as bytes, and never as a page; of a link, its text',
  params: atPoint,
  query: namedPath,
  types: ['text/plain', 'application/octet-stream'],
  codes: ['workspace_not_found', 'point_not_found', 'path_refused', 'not_found', 'store_damaged', ...BUCKET_CODES],
  handle: async ({ params, query }, { workspaces }) => {
    const path = requiredPath(query);
    const content = await workspaces.use(params.ws, (found) => found.openFile(params.id, path));
    if (content === undefined) throw new DevLoopError('not_found', `${params.id} holds no file of this name.`);
    if (content instanceof Uint8Array) return { type: contentType(content), content };
    return { type: 'application/octet-stream', content: Readable.from(content, { objectMode: false }) };
  },
});

/** Whichever way a comparison is asked for, what was added later shows as added. */
async function byAge(
  found: Workspace,
  id: PointId,
  against: Side,
): Promise<{ readonly from: Side; readonly to: Side }> {
  const one = await found.point(id);
  if (against === 'now') return { from: id, to: against };
  const other = await found.point(against);
  const [from, to] = one.seq <= other.seq ? [one, other] : [other, one];
  return { from: parsePointId(from.id), to: parsePointId(to.id) };
}
