import { turnAnswer } from '../../domain/turn-answer.ts';
import { defineCommand } from '../command.ts';
import { table } from '../table.ts';

export const turns = defineCommand({
  summary: 'List the turns of this folder, newest first; the offset is what `devloop undo` takes',
  routes: ['GET /workspaces/:ws/turns'],
  examples: [{ command: 'devloop turns', what: 'who worked here, and when' }],
  run: async (_input, { workspace }) => {
    const all = await (await workspace()).turns();
    return { items: all.map(turnAnswer) };
  },
  print: ({ items }) =>
    table(
      items.map(({ offset, turn, state, pre, post }) => [
        offset,
        turn,
        pre.ts,
        state,
        post?.noop === true ? 'no change' : '',
        pre.actor ?? '',
        pre.task_id ?? '',
      ]),
      'no turns yet; `devloop turn -- COMMAND` makes one\n',
    ),
});
