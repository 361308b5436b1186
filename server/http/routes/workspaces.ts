import { bytePathFromLatin1, pathText } from '../../domain/byte-path.ts';
import { parseSettingsChange } from '../../domain/point.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { pageOf } from '../page-of.ts';
import { BUCKET_CODES, emptyRoute, jsonRoute, ROUTE_BASES } from '../route.ts';
import { pruned, prunedAll, purged, storeCheck } from '../schemas/care-answer.ts';
import { requiredPath } from '../schemas/common.ts';
import { explained, protectStatus, toWorkspace, workspace, workspaceList } from '../schemas/workspace-answer.ts';
import { atWorkspace, namedPath, newWorkspace, workspaceChange, workspaceQuery } from '../schemas/workspace-request.ts';

const base = ROUTE_BASES[1];

export const addWorkspace = jsonRoute('POST /workspaces', {
  base,
  summary: 'Open a folder as a workspace; one that has a history keeps it, with its settings',
  body: newWorkspace,
  status: 201,
  response: workspace,
  codes: ['workspace_refused', 'workspace_not_found', 'conflict', 'config_invalid', 'store_damaged', 'disk_full'],
  starts: true,
  handle: async ({ body: { path, ...about } }, { workspaces }) => toWorkspace(await workspaces.add(path, about)),
});

export const listWorkspaces = jsonRoute('GET /workspaces', {
  base,
  summary: 'List the folders whose histories are kept, newest first',
  query: workspaceQuery,
  response: workspaceList,
  codes: ['store_damaged'],
  handle: async ({ query }, { workspaces }) => {
    const keyOf = ({ id, created_at }: { readonly id: string; readonly created_at: string }) => `${created_at} ${id}`;
    return pageOf(workspaces.list().map(toWorkspace), { ...query, keyOf });
  },
});

export const pruneAll = jsonRoute('POST /workspaces/prune', {
  base,
  summary:
    'Prune every history, and drop the oldest points of all until they have the size that is set for all together',
  response: prunedAll,
  codes: ['store_damaged', ...BUCKET_CODES, 'disk_full', 'busy'],
  starts: true,
  handle: (_input, { workspaces }) => workspaces.pruneAll(),
});

export const getWorkspace = jsonRoute('GET /workspaces/:ws', {
  base,
  summary: 'Show a workspace with its settings',
  params: atWorkspace,
  response: workspace,
  codes: ['workspace_not_found'],
  handle: ({ params }, { workspaces }) => workspaces.use(params.ws, async (found) => toWorkspace(found)),
});

export const changeWorkspace = jsonRoute('PATCH /workspaces/:ws', {
  base,
  summary: 'Change name and settings; null puts a setting back to its default',
  params: atWorkspace,
  body: workspaceChange,
  response: workspace,
  codes: ['workspace_not_found', 'disk_full'],
  handle: async ({ params, body: { name, settings } }, { workspaces }) =>
    toWorkspace(await workspaces.change(params.ws, { name, settings: parseSettingsChange(settings) })),
});

export const deleteWorkspace = emptyRoute('DELETE /workspaces/:ws', {
  base,
  summary: 'Delete the history of a folder; the folder is not touched',
  params: atWorkspace,
  codes: ['workspace_not_found', ...BUCKET_CODES],
  handle: ({ params }, { workspaces }) => workspaces.remove(params.ws),
});

export const workspaceStatus = jsonRoute('GET /workspaces/:ws/status', {
  base,
  summary: 'Tell what is protected, what is not and why',
  params: atWorkspace,
  response: protectStatus,
  codes: ['workspace_not_found', 'not_found', 'store_damaged'],
  handle: ({ params }, { workspaces }) => workspaces.use(params.ws, (found) => found.status()),
});

export const explainPath = jsonRoute('GET /workspaces/:ws/explain', {
  base,
  summary: 'Tell which rule decides whether points hold a path',
  params: atWorkspace,
  query: namedPath,
  response: explained,
  codes: ['workspace_not_found', 'path_refused'],
  handle: ({ params, query }, { workspaces }) =>
    workspaces.use(params.ws, async (found) => {
      const { at, rule, ...why } = found.explain(requiredPath(query));
      return withoutUndefined({
        ...why,
        rule: rule && { pattern: pathText(bytePathFromLatin1(rule.pattern)).path, source: rule.source },
        at: at && pathText(at),
      });
    }),
});

export const verifyWorkspace = jsonRoute('POST /workspaces/:ws/verify', {
  base,
  summary: 'Check the store whole: every point, every object, every large file',
  params: atWorkspace,
  response: storeCheck,
  codes: ['workspace_not_found', ...BUCKET_CODES],
  handle: ({ params, signal }, { workspaces }) => workspaces.use(params.ws, (found) => found.verify(signal)),
});

export const purgePath = jsonRoute('POST /workspaces/:ws/purge', {
  base,
  summary: 'Take a path, with all below it, out of every point for good; the folder is not touched',
  params: atWorkspace,
  body: namedPath,
  response: purged,
  codes: ['workspace_not_found', 'path_refused', 'store_damaged', 'disk_full', 'busy', ...BUCKET_CODES],
  starts: true,
  handle: ({ params, body }, { workspaces }) => {
    const path = requiredPath(body);
    return workspaces.use(params.ws, (found) => found.purge(path));
  },
});

export const pruneWorkspace = jsonRoute('POST /workspaces/:ws/prune', {
  base,
  summary: 'Drop the points that the settings do not keep, and free their space',
  params: atWorkspace,
  response: pruned,
  codes: ['workspace_not_found', 'store_damaged', 'disk_full', 'busy', ...BUCKET_CODES],
  starts: true,
  handle: ({ params }, { workspaces }) => workspaces.use(params.ws, (found) => found.prune()),
});
