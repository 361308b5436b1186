import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { restText } from '../until-rest.ts';

export const abandon = defineCommand({
  summary: 'Abandon a project; its folder and history stay',
  args: { pid: PID, reason: { description: 'why' } },
  routes: ['POST /projects/:pid/abandon'],
  examples: [{ command: 'devloop abandon p-k3v7q2ma "bought one instead"', what: 'commits and tags the end' }],
  run: async ({ pid, reason }, { connect }) =>
    (await connect()).api.call('POST /projects/:pid/abandon', { params: { pid }, body: { reason } }),
  print: restText,
});
