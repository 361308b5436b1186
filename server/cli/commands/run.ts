import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { restStatus, restText, untilRest, WAIT_FLAGS } from '../until-rest.ts';

export const run = defineCommand({
  summary: 'Start the loop of a project, or go on with it, and wait until it is at rest',
  args: { pid: PID },
  flags: {
    ...WAIT_FLAGS,
    units: flag.list('--unit <unit>', 'give a failed unit a new round; may come several times'),
    record: flag.text('--record <file>', 'keep what live models decide in a new file'),
  },
  routes: ['POST /projects/:pid/run'],
  examples: [
    { command: 'devloop run p-k3v7q2ma', what: 'one line a step; ends with status 0 when it has shipped' },
    { command: 'devloop run p-k3v7q2ma --unit store', what: 'grants the failed unit another round' },
  ],
  run: ({ pid, units, detach, record }, context) =>
    untilRest(
      {
        pid,
        detach,
        record,
        start: (api) =>
          api.call('POST /projects/:pid/run', {
            params: { pid },
            body: units.length === 0 ? {} : { units: [...units] },
          }),
      },
      context,
    ),
  print: restText,
  status: restStatus,
});
