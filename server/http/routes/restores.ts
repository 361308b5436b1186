import { planAnswer } from '../../domain/plan-answer.ts';
import { restoreAnswer } from '../../domain/restore-answer.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { pageOf } from '../page-of.ts';
import { BUCKET_CODES, jsonRoute, ROUTE_BASES } from '../route.ts';
import { plan, report, restoreList } from '../schemas/workspace-answer.ts';
import { atRestore, atWorkspace, restoreDigest, restoreWish, workspaceQuery } from '../schemas/workspace-request.ts';

const base = ROUTE_BASES[1];

export const planRestore = jsonRoute('POST /workspaces/:ws/restores', {
  base,
  summary:
    'Plan a restore, in place or into a new folder: what would be added, overwritten, deleted; nothing is written',
  params: atWorkspace,
  body: restoreWish,
  status: 201,
  response: plan,
  codes: [
    'workspace_not_found',
    'not_found',
    'point_not_found',
    'nothing_to_restore',
    'post_turn_in_place',
    'point_incomplete',
    'bad_state',
    'path_refused',
    'workspace_refused',
    'conflict',
    'store_damaged',
    'disk_full',
    'busy',
  ],
  starts: true,
  handle: async ({ params, body }, { workspaces }) => {
    const { checkpoint, turn_offset = 0, target: _, path: into, ...which } = body;
    const options = withoutUndefined({ ...which, into });
    return workspaces.use(params.ws, async (found) =>
      planAnswer(
        await (checkpoint === undefined
          ? found.planPreTurn(turn_offset, options)
          : found.planRestore({ ...options, point: checkpoint })),
      ),
    );
  },
});

export const listRestores = jsonRoute('GET /workspaces/:ws/restores', {
  base,
  summary: 'List the restores that were applied, newest first',
  params: atWorkspace,
  query: workspaceQuery,
  response: restoreList,
  codes: ['workspace_not_found', 'store_damaged'],
  handle: async ({ params, query }, { workspaces }) => {
    const all = await workspaces.use(params.ws, async (found) => found.restores());
    return pageOf(all.map(restoreAnswer), { ...query, keyOf: ({ id }) => id });
  },
});

export const applyRestore = jsonRoute('POST /workspaces/:ws/restores/:id/apply', {
  base,
  summary: 'Do what a plan says, if the folder is still as the plan saw it; the state before is kept as a point first',
  params: atRestore,
  body: restoreDigest,
  response: report,
  codes: [
    'workspace_not_found',
    'not_found',
    'point_not_found',
    'plan_stale',
    'bad_state',
    'conflict',
    'restore_pending',
    'store_damaged',
    'disk_full',
    'permission_denied',
    'busy',
    ...BUCKET_CODES,
  ],
  starts: true,
  handle: ({ params, body }, { workspaces }) =>
    workspaces.use(params.ws, (found) => found.applyRestore(params.id, body.digest)),
});

export const undoRestore = jsonRoute('POST /workspaces/:ws/restores/:id/undo', {
  base,
  summary: 'Take a restore back: the files that it changed become what they were; this can be undone too',
  params: atRestore,
  response: report,
  codes: [
    'workspace_not_found',
    'not_found',
    'point_not_found',
    'bad_state',
    'restore_pending',
    'store_damaged',
    'disk_full',
    'permission_denied',
    'busy',
    ...BUCKET_CODES,
  ],
  starts: true,
  handle: ({ params }, { workspaces }) => workspaces.use(params.ws, (found) => found.undoRestore(params.id)),
});
