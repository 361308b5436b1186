import { pointAnswer } from '../../domain/point-answer.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { leftOutText } from '../point-text.ts';

export const snap = defineCommand({
  summary: 'Keep the files of this folder as they are now',
  flags: {
    reason: flag.text('-m, --message <reason>', 'why'),
    name: flag.text('--name <name>', 'a name; a point that has one is never pruned'),
    pin: flag.on('--pin', 'never prune it'),
    task: flag.text('--task <id>', 'the task that it belongs to'),
  },
  routes: ['POST /workspaces', 'POST /workspaces/:ws/checkpoints'],
  examples: [{ command: 'devloop snap -m "before the big rename"', what: 'prints the id of the point' }],
  run: async ({ reason = 'by hand', name, pin, task }, { workspace, signal }) => {
    const about = { reason, name, pin, task_id: task };
    return pointAnswer(await (await workspace()).takePoint(about, signal));
  },
  print: (point) => {
    const { id, counts, noop, left_out } = point;
    const what = noop
      ? 'the same as the point before'
      : `${counts.files} files, ${counts.links} links, ${counts.bytes} bytes`;
    return `${id}  ${what}\n${leftOutText(left_out)}`;
  },
});
