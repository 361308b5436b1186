import { withoutUndefined } from '../../domain/without-undefined.ts';
import { jsonRoute } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { newRemote, pushed, pushOrder, remote, remoteList } from '../schemas/remote.ts';

export const listRemotes = jsonRoute('GET /projects/:pid/remotes', {
  summary: 'List where a project may be pushed to',
  params: atProject,
  response: remoteList,
  codes: ['project_not_found'],
  handle: async ({ params }, { vault }) => ({ items: await vault.remotes(params.pid) }),
});

export const addRemote = jsonRoute('POST /projects/:pid/remotes', {
  summary: 'Add a remote, or give the one of this name another address',
  params: atProject,
  body: newRemote,
  status: 201,
  response: remote,
  codes: ['project_not_found', 'disk_full'],
  handle: ({ params, body }, { vault }) => vault.addRemote(params.pid, body),
});

export const pushProject = jsonRoute('POST /projects/:pid/push', {
  summary: 'Push main, and tags where asked for, to a branch of a remote; never by force',
  params: atProject,
  body: pushOrder,
  response: pushed,
  codes: ['project_not_found', 'not_found', 'ref_invalid', 'findings_open', 'remote_refused', 'timeout'],
  handle: async ({ params, body, signal }, { vault }) => ({
    pushed: await vault.push(params.pid, { ...withoutUndefined(body), signal }),
  }),
});
