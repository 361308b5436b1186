import { restoreAnswer } from '../../domain/restore-answer.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const restores = defineCommand({
  summary: 'List the restores that were applied to this folder, newest first; `devloop redo` takes the newest back',
  routes: ['GET /workspaces/:ws/restores'],
  examples: [{ command: 'devloop restores', what: 'what was put back, and the point of the state before it' }],
  run: async (_input, { workspace }) => ({ items: (await workspace()).restores().map(restoreAnswer) }),
  print: ({ items }) =>
    table(
      items.map(({ id, applied_at, point, into, changed, pre, undoes }) => [
        id,
        applied_at ?? '',
        `to ${point}`,
        `${changed} changed`,
        pre === undefined ? '' : `before it ${pre}`,
        undoes === undefined ? '' : `undoes ${undoes}`,
        into ?? '',
      ]),
      'nothing was restored here yet\n',
    ),
});
