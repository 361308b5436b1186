import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { restStatus, restText, untilRest, WAIT_FLAGS } from '../until-rest.ts';

export const feedback = defineCommand({
  summary: 'Give feedback: a new revision of the requirements follows; waits until the project is at rest',
  args: { pid: PID, text: { description: 'what should change' } },
  flags: WAIT_FLAGS,
  routes: ['POST /projects/:pid/feedback'],
  examples: [{ command: 'devloop feedback p-k3v7q2ma "items need a due date"', what: 'starts again at the PM' }],
  run: ({ pid, text, detach }, context) =>
    untilRest(
      { pid, detach, start: (api) => api.call('POST /projects/:pid/feedback', { params: { pid }, body: { text } }) },
      context,
    ),
  print: restText,
  status: restStatus,
});
