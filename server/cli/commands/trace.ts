import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';

export const trace = defineCommand({
  summary: 'Print which lines each commit of an agent added, as one Agent Trace record a line, newest first',
  args: { pid: PID },
  flags: {
    limit: flag.number('--limit <n>', 'how many commits are looked at; 20 where absent'),
    cursor: flag.text('--cursor <cursor>', '`next` of the page before'),
  },
  routes: ['GET /projects/:pid/trace'],
  examples: [
    { command: 'devloop trace p-k3v7q2ma --limit 100 > trace.jsonl', what: 'for tools that read Agent Trace' },
  ],
  run: async ({ pid, ...query }, { connect }) =>
    (await connect()).api.call('GET /projects/:pid/trace', { params: { pid }, query: withoutUndefined(query) }),
  print: ({ items }) => items.map((record) => `${JSON.stringify(record)}\n`).join(''),
});
