import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { restStatus, restText, untilRest, WAIT_FLAGS } from '../until-rest.ts';

export const resume = defineCommand({
  summary: 'Go on after a pause, and wait until the project is at rest',
  args: { pid: PID },
  flags: WAIT_FLAGS,
  routes: ['POST /projects/:pid/resume'],
  examples: [{ command: 'devloop resume p-k3v7q2ma', what: 'goes on where it was paused' }],
  run: ({ pid, detach }, context) =>
    untilRest({ pid, detach, start: (api) => api.call('POST /projects/:pid/resume', { params: { pid } }) }, context),
  print: restText,
  status: restStatus,
});
