import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';

export const maintain = defineCommand({
  summary: 'Pack the repository of a project, and let go of what was kept long enough after its end',
  args: { pid: PID },
  routes: ['POST /projects/:pid/maintain'],
  examples: [{ command: 'devloop maintain p-k3v7q2ma', what: 'a server does it once a day by itself' }],
  run: async ({ pid }, { connect }) => (await connect()).api.call('POST /projects/:pid/maintain', { params: { pid } }),
  print: ({ packed, expired }) =>
    `${packed ? 'packed' : 'nothing to pack'}\n${expired.map((name) => `not listed any more: ${name}\n`).join('')}`,
});
