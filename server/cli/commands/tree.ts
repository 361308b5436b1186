import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const tree = defineCommand({
  summary: 'List a folder of a revision',
  args: { pid: PID, path: { description: 'the folder; the root where absent', optional: true } },
  flags: { ref: flag.text('--ref <rev>', 'the revision; HEAD where absent') },
  routes: ['GET /projects/:pid/tree'],
  examples: [{ command: 'devloop tree p-k3v7q2ma units/store --ref prd-rev-1', what: 'what was there then' }],
  run: async ({ pid, ...query }, { connect }) =>
    (await connect()).api.call('GET /projects/:pid/tree', { params: { pid }, query: withoutUndefined(query) }),
  print: ({ items }) => table(items.map(({ kind, size, path }) => [kind, size, kind === 'folder' ? `${path}/` : path])),
});
