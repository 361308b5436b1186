import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const timeline = defineCommand({
  summary: 'Print the timeline, oldest first',
  args: { pid: PID },
  flags: {
    after: flag.number('--after <seq>', 'only what came after this number'),
    limit: flag.number('--limit <n>', 'how many; 100 where absent'),
  },
  routes: ['GET /projects/:pid/timeline'],
  examples: [{ command: 'devloop timeline p-k3v7q2ma --after 40', what: 'the events after number 40' }],
  run: async ({ pid, ...query }, { connect }) =>
    (await connect()).api.call('GET /projects/:pid/timeline', { params: { pid }, query: withoutUndefined(query) }),
  print: ({ items, next }, { paint }) =>
    table(items.map(({ seq, ts, source, kind, ...rest }) => [seq, ts.slice(0, 19), source, kind, summaryOf(rest)])) +
    (next === undefined ? '' : paint('dim', `more: --after ${next}\n`)),
});

function summaryOf({ pos: _pos, sum: _sum, ...payload }: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(payload).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return parts.join(' ').slice(0, 160);
}
