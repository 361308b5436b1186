import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { table } from '../table.ts';

export const remotes = defineCommand({
  summary: 'List where a project may be pushed to, or add a remote',
  args: {
    pid: PID,
    name: { description: 'name of a new remote, or of one that gets another address', optional: true },
    url: { description: 'https://…, ssh://… or user@host:path, without a password', optional: true },
  },
  routes: ['GET /projects/:pid/remotes', 'POST /projects/:pid/remotes'],
  examples: [
    { command: 'devloop remotes p-k3v7q2ma', what: 'those that there are' },
    { command: 'devloop remotes p-k3v7q2ma forge git@forge.example:team/todo.git', what: 'adds one' },
  ],
  run: async ({ pid, name, url }, { connect }) => {
    const { api } = await connect();
    if (name === undefined) return api.call('GET /projects/:pid/remotes', { params: { pid } });
    if (url === undefined) throw new DevLoopError('bad_request', 'A new remote needs its address after its name.');
    return api.call('POST /projects/:pid/remotes', { params: { pid }, body: { name, url } });
  },
  print: (shown) =>
    table(
      ('items' in shown ? shown.items : [shown]).map((one) => [one.name, one.url]),
      'no remotes\n',
    ),
});
