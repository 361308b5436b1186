import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { restText } from '../until-rest.ts';

export const pause = defineCommand({
  summary: 'Pause after the calls that are running',
  args: { pid: PID },
  routes: ['POST /projects/:pid/pause'],
  examples: [{ command: 'devloop pause p-k3v7q2ma', what: 'devloop resume goes on' }],
  run: async ({ pid }, { connect }) => (await connect()).api.call('POST /projects/:pid/pause', { params: { pid } }),
  print: restText,
});
