import { DevLoopError } from '../../domain/errors.ts';
import { RECOVERY_OPTIONS } from '../../domain/events.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const recover = defineCommand({
  summary: 'List projects whose files were dirty after a crash, or choose what becomes of them',
  args: { pid: { ...PID, optional: true } },
  flags: {
    action: flag.choice(
      '--action <action>',
      'commit_as_wip keeps them in a commit, reset_hard in a rescue, manual_inspect leaves them to you',
      RECOVERY_OPTIONS,
    ),
    snapshot: flag.text('--snapshot <id>', 'the state that was shown; the one of now where absent'),
  },
  routes: ['GET /recovery', 'POST /projects/:pid/recovery'],
  examples: [
    { command: 'devloop recover', what: 'what waits for an answer' },
    {
      command: 'devloop recover p-k3v7q2ma --action reset_hard',
      what: 'back to what is committed; the files are kept in a rescue',
    },
  ],
  run: async ({ pid, action, snapshot }, { connect }) => {
    const { api } = await connect();
    const { items } = await api.call('GET /recovery', {});
    if (pid === undefined) return { items };
    const pending = items.filter((one) => one.pid === pid);
    const [found] = pending;
    if (action === undefined || found === undefined) {
      if (action === undefined) return { items: pending };
      throw new DevLoopError('not_found', `Nothing of project ${pid} waits for an answer.`);
    }
    const body = { action, snapshot: snapshot ?? found.snapshot };
    return { action, ...(await api.call('POST /projects/:pid/recovery', { params: { pid }, body })) };
  },
  print: (shown) => {
    if (!('items' in shown))
      return `${shown.action}${shown.rescue === undefined ? '' : `: kept as rescue/${shown.rescue}`}${shown.sha === undefined ? '' : `: ${shown.sha.slice(0, 7)}`}\n`;
    if (shown.items.length === 0) return 'nothing waits for an answer\n';
    return shown.items
      .map(
        ({ pid, snapshot, files, options }) =>
          `${pid} ${snapshot}: ${options.join(', ')}\n${table(files.map(({ change, path }) => ['', change, path]))}`,
      )
      .join('');
  },
});
