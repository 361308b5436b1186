import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { restText } from '../until-rest.ts';

export const cancel = defineCommand({
  summary: 'End the calls that are running and stop',
  args: { pid: PID },
  routes: ['POST /projects/:pid/cancel'],
  examples: [{ command: 'devloop cancel p-k3v7q2ma', what: 'devloop run starts again from what is committed' }],
  run: async ({ pid }, { connect }) => (await connect()).api.call('POST /projects/:pid/cancel', { params: { pid } }),
  print: restText,
});
