import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { readProject, restStatus, restText, untilRest, WAIT_FLAGS } from '../until-rest.ts';

export const reject = defineCommand({
  summary: 'Send back what waits at a gate, and wait until the project is at rest',
  args: { pid: PID },
  flags: {
    ...WAIT_FLAGS,
    gate: flag.choice('--gate <gate>', 'which gate; the one that it waits at where absent', ['prd', 'sdd']),
    note: flag.text('--note <text>', 'a note for the record'),
  },
  routes: ['POST /projects/:pid/reject'],
  examples: [
    {
      command: 'devloop reject p-k3v7q2ma --gate prd --note "no login, please"',
      what: 'has the role do its work again, with the note',
    },
  ],
  run: ({ pid, gate, note, detach }, context) =>
    untilRest(
      {
        pid,
        detach,
        start: async (api) => {
          const at = gate ?? (await readProject(api, pid)).gate ?? 'prd';
          return api.call('POST /projects/:pid/reject', { params: { pid }, body: { gate: at, note } });
        },
      },
      context,
    ),
  print: restText,
  status: restStatus,
});
