import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { commitLines } from '../commit-text.ts';
import { flag, PID } from '../flags.ts';

export const log = defineCommand({
  summary: 'List commits, newest first, with the agent that made each',
  args: { pid: PID },
  flags: {
    limit: flag.number('--limit <n>', 'how many; 50 where absent'),
    cursor: flag.text('--cursor <cursor>', '`next` of the page before'),
    path: flag.text('--path <path>', 'only commits that changed this file or folder'),
    author: flag.text('--author <text>', "text in the author's name or email"),
    grep: flag.text('--grep <text>', 'text in the message'),
    since: flag.text('--since <date>', 'only commits from this day or time on'),
  },
  routes: ['GET /projects/:pid/commits'],
  examples: [
    { command: 'devloop log p-k3v7q2ma', what: 'the history of main' },
    { command: 'devloop log p-k3v7q2ma --author coder --path units/store', what: "a unit's commits" },
  ],
  run: async ({ pid, ...query }, { connect }) =>
    (await connect()).api.call('GET /projects/:pid/commits', { params: { pid }, query: withoutUndefined(query) }),
  print: ({ items, next }, terminal) =>
    commitLines(items, terminal) + (next === undefined ? '' : terminal.paint('dim', `more: --cursor ${next}\n`)),
});
