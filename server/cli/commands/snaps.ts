import { PHASES } from '../../domain/point.ts';
import { pointAnswer } from '../../domain/point-answer.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { table } from '../table.ts';

export const snaps = defineCommand({
  summary: 'List the points of this folder, newest first',
  flags: { phase: flag.choice('--phase <phase>', 'only points of this kind', PHASES) },
  routes: [],
  examples: [{ command: 'devloop snaps', what: 'ids for `devloop restore` and `devloop changes`' }],
  run: async ({ phase }, { workspace }) => {
    const points = await (await workspace()).points();
    return { items: points.filter((point) => phase === undefined || point.phase === phase).map(pointAnswer) };
  },
  print: ({ items }) =>
    table(
      items.map(({ id, ts, phase, noop, counts, reason, name }) => [
        id,
        ts,
        phase,
        noop ? 'no change' : `${counts.files} files`,
        name ?? '',
        reason,
      ]),
      'no points yet; `devloop snap` makes one\n',
    ),
});
