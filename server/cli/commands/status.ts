import { defineCommand } from '../command.ts';
import { filesText } from '../commit-text.ts';
import { PID } from '../flags.ts';

export const status = defineCommand({
  summary: "Show what differs between the project's folder and HEAD",
  args: { pid: PID },
  routes: ['GET /projects/:pid/status'],
  examples: [{ command: 'devloop status p-k3v7q2ma', what: 'ledgers that only grew do not count' }],
  run: async ({ pid }, { connect }) => (await connect()).api.call('GET /projects/:pid/status', { params: { pid } }),
  print: ({ dirty, files }) => (dirty ? filesText(files) : 'clean\n'),
});
