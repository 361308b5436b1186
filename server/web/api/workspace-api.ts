import { ask, call, get, post, type Query } from './call.ts';
import { Problem } from './problem.ts';
import type * as of from './types.ts';

const BASE = '/workspaces';
const at = (ws: string, ...parts: readonly string[]): string =>
  [BASE, ...[ws, ...parts].map(encodeURIComponent)].join('/');

/** The routes of workspaces, as functions. */
export const workspaceApi = {
  list: (query: Query) => get<of.List<of.Workspace>>(BASE, query),
  add: (wish: of.NewWorkspace) => post<of.Workspace>(BASE, wish),
  show: (ws: string) => get<of.Workspace>(at(ws)),
  change: (ws: string, settings: Readonly<Record<string, unknown>>) =>
    call<of.Workspace>('PATCH', at(ws), { body: { settings } }),
  status: (ws: string) => get<of.ProtectStatus>(at(ws, 'status')),
  points: (ws: string, query: Query) => get<of.List<of.Point>>(at(ws, 'checkpoints'), query),
  point: (ws: string, id: string) => get<of.Point>(at(ws, 'checkpoints', id)),
  snap: (ws: string, reason: string) => post<of.Point>(at(ws, 'checkpoints'), { reason }),
  diff: (ws: string, id: string, query: Query) => get<of.WorkspaceDiff>(at(ws, 'checkpoints', id, 'diff'), query),
  /** A side of a picture, or where both differ, as the server drew it. */
  picture: async (ws: string, id: string, query: Query & { readonly show: of.PictureSide }) =>
    createImageBitmap(await (await ask('GET', at(ws, 'checkpoints', id, 'preview'), { query })).blob()).catch(
      (cause) => {
        throw new Problem(422, { code: 'picture_unreadable' }, { cause });
      },
    ),
  turns: (ws: string, query: Query) => get<of.List<of.Turn>>(at(ws, 'turns'), query),
  explain: (ws: string, named: Query) => get<of.Explained>(at(ws, 'explain'), named),
  plan: (ws: string, wish: of.RestoreWish) => post<of.RestorePlan>(at(ws, 'restores'), wish),
  restores: (ws: string, query: Query) => get<of.List<of.AppliedRestore>>(at(ws, 'restores'), query),
  apply: (ws: string, id: string, digest: string) =>
    post<of.RestoreReport>(at(ws, 'restores', id, 'apply'), { digest }),
  undo: (ws: string, id: string) => post<of.RestoreReport>(at(ws, 'restores', id, 'undo')),
};
