import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { PID } from '../flags.ts';
import { plain } from '../terminal.ts';

export const verify = defineCommand({
  summary: 'Check the repository of a project whole',
  args: { pid: PID },
  routes: ['POST /projects/:pid/verify'],
  examples: [{ command: 'devloop verify p-k3v7q2ma', what: 'every object, and refs against the record' }],
  run: async ({ pid }, { connect, signal }) =>
    (await connect()).api.call('POST /projects/:pid/verify', { params: { pid }, signal }),
  print: ({ problems }) => (problems.length === 0 ? 'no problems\n' : `${problems.map(plain).join('\n')}\n`),
  status: ({ problems }) => (problems.length === 0 ? EXIT.ok : EXIT.failed),
});
