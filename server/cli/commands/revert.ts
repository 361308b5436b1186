import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';

export const revert = defineCommand({
  summary: 'Undo a commit by a new one',
  args: { pid: PID, rev: { description: 'the commit' } },
  routes: ['POST /projects/:pid/revert'],
  examples: [{ command: 'devloop revert p-k3v7q2ma 3f9a1c2', what: 'history keeps both' }],
  run: async ({ pid, rev }, { connect }) =>
    (await connect()).api.call('POST /projects/:pid/revert', { params: { pid }, body: { rev } }),
  print: ({ kind, sha }) => (kind === 'reverted' ? `reverted by ${sha?.slice(0, 7)}\n` : 'it is reverted already\n'),
});
