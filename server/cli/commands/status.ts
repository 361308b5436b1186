import { defineCommand } from '../command.ts';
import { filesText } from '../commit-text.ts';
import { flag, PID } from '../flags.ts';

export const status = defineCommand({
  summary: "Show what differs between the project's folder and HEAD",
  args: { pid: PID },
  flags: { diff: flag.on('--diff', 'with the lines') },
  routes: ['GET /projects/:pid/status', 'GET /projects/:pid/status/diff'],
  examples: [
    { command: 'devloop status p-k3v7q2ma', what: 'ledgers that only grew do not count' },
    { command: 'devloop status p-k3v7q2ma --diff', what: 'what a commit of all of it would bring' },
  ],
  run: async ({ pid, diff }, { connect }) => {
    const { api } = await connect();
    const found = await api.call('GET /projects/:pid/status', { params: { pid } });
    const lines = diff ? await api.call('GET /projects/:pid/status/diff', { params: { pid } }) : undefined;
    return { ...found, ...lines };
  },
  print: ({ patch, dirty, files }) => patch ?? (dirty ? filesText(files) : 'clean\n'),
});
