import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { readProject, restStatus, restText, untilRest, WAIT_FLAGS } from '../until-rest.ts';

export const approve = defineCommand({
  summary: 'Let the loop go on from a gate, and wait until the project is at rest',
  args: { pid: PID },
  flags: {
    ...WAIT_FLAGS,
    gate: flag.choice('--gate <gate>', 'which gate; the one that it waits at where absent', ['prd', 'sdd']),
    note: flag.text('--note <text>', 'a note for the record'),
  },
  routes: ['POST /projects/:pid/approve'],
  examples: [{ command: 'devloop approve p-k3v7q2ma --gate prd --note "as we agreed"', what: 'goes on to the design' }],
  run: ({ pid, gate, note, detach }, context) =>
    untilRest(
      {
        pid,
        detach,
        start: async (api) => {
          const at = gate ?? (await readProject(api, pid)).gate ?? 'prd';
          return api.call('POST /projects/:pid/approve', { params: { pid }, body: { gate: at, note } });
        },
      },
      context,
    ),
  print: restText,
  status: restStatus,
});
