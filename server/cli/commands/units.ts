import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { unitsText } from './show.ts';

export const units = defineCommand({
  summary: 'List the units of a project',
  args: { pid: PID },
  routes: ['GET /projects/:pid/units'],
  examples: [{ command: 'devloop units p-k3v7q2ma', what: 'status, round and attempt of each' }],
  run: async ({ pid }, { connect }) => (await connect()).api.call('GET /projects/:pid/units', { params: { pid } }),
  print: ({ items }) => unitsText(items),
});
