import { pointAnswer } from '../../domain/point-answer.ts';
import { turnAnswer } from '../../domain/turn-answer.ts';
import { pageOf } from '../page-of.ts';
import { BUCKET_CODES, jsonRoute, ROUTE_BASES } from '../route.ts';
import { begunTurn, endedTurn, turnList } from '../schemas/workspace-answer.ts';
import { atTurn, atWorkspace, newTurn, workspaceQuery } from '../schemas/workspace-request.ts';

const base = ROUTE_BASES[1];

export const beginTurn = jsonRoute('POST /workspaces/:ws/turns', {
  base,
  summary: 'Begin a turn: the folder is kept as it is when this is answered',
  params: atWorkspace,
  body: newTurn,
  status: 201,
  response: begunTurn,
  codes: [
    'workspace_not_found',
    'not_found',
    'store_damaged',
    'disk_full',
    'permission_denied',
    'busy',
    'bad_state',
    ...BUCKET_CODES,
  ],
  starts: true,
  handle: async ({ params, body }, { workspaces }) => {
    const { turn, pre } = await workspaces.beginTurn(params.ws, body);
    return { turn, pre: pointAnswer(pre) };
  },
});

export const endTurn = jsonRoute('POST /workspaces/:ws/turns/:turn/end', {
  base,
  summary: 'End a turn: its point is queued, and taken also where the server is killed before',
  params: atTurn,
  status: 202,
  response: endedTurn,
  codes: ['workspace_not_found', 'not_found', 'disk_full'],
  starts: true,
  handle: async ({ params: { ws, turn } }, { workspaces }) => ({ turn, state: await workspaces.endTurn(ws, turn) }),
});

export const listTurns = jsonRoute('GET /workspaces/:ws/turns', {
  base,
  summary: 'List turns, newest first',
  params: atWorkspace,
  query: workspaceQuery,
  response: turnList,
  codes: ['workspace_not_found', 'store_damaged'],
  handle: async ({ params, query }, { workspaces }) => {
    const all = await workspaces.use(params.ws, (found) => found.turns());
    return pageOf(all.map(turnAnswer), { ...query, keyOf: ({ turn }) => turn });
  },
});
