import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const tags = defineCommand({
  summary: 'List tags, newest first, or make one',
  args: { pid: PID, name: { description: 'name of a new tag', optional: true } },
  flags: {
    ref: flag.text('--ref <rev>', 'what a new tag names; HEAD where absent'),
    message: flag.text('-m, --message <text>', 'message of a new tag'),
  },
  routes: ['GET /projects/:pid/tags', 'POST /projects/:pid/tags'],
  examples: [
    { command: 'devloop tags p-k3v7q2ma', what: 'revisions and shipped versions' },
    { command: 'devloop tags p-k3v7q2ma before-demo -m "shown to Ann"', what: 'tags HEAD' },
  ],
  run: async ({ pid, name, ref, message }, { connect }) => {
    const { api } = await connect();
    if (name === undefined) return api.call('GET /projects/:pid/tags', { params: { pid } });
    return api.call('POST /projects/:pid/tags', { params: { pid }, body: withoutUndefined({ name, ref, message }) });
  },
  print: (shown) =>
    table(
      'items' in shown
        ? shown.items.map(({ name, sha, message }) => [name, sha.slice(0, 7), message.split('\n', 1)[0]])
        : [[shown.name, shown.sha.slice(0, 7)]],
      'no tags\n',
    ),
});
