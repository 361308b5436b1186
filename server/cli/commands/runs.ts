import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const runs = defineCommand({
  summary: 'List test runs and integration runs, newest first, or show one with its result',
  args: { pid: PID, run: { description: 'the id of a run', optional: true } },
  flags: {
    limit: flag.number('--limit <n>', 'how many; 50 where absent'),
    cursor: flag.text('--cursor <cursor>', '`next` of the page before'),
  },
  routes: ['GET /projects/:pid/runs', 'GET /projects/:pid/runs/:run'],
  examples: [{ command: 'devloop runs p-k3v7q2ma', what: 'each run with its outcome' }],
  run: async ({ pid, run, ...query }, { connect }) => {
    const { api } = await connect();
    if (run !== undefined) return api.call('GET /projects/:pid/runs/:run', { params: { pid, run } });
    return api.call('GET /projects/:pid/runs', { params: { pid }, query: withoutUndefined(query) });
  },
  print: (shown) =>
    'items' in shown
      ? table(
          shown.items.map(({ run, kind, unit, outcome, passed, total, ts }) => [
            ts.slice(0, 19),
            run,
            unit ?? kind,
            outcome,
            `${passed} of ${total}`,
          ]),
          'no runs\n',
        )
      : `${JSON.stringify(shown.result, null, 2)}\n`,
});
