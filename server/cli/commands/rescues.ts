import { defineCommand } from '../command.ts';
import { leftText } from '../commit-text.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const rescues = defineCommand({
  summary: 'List what was kept before something would have overwritten it, or bring one back',
  args: { pid: PID },
  flags: {
    restore: flag.text('--restore <id>', 'bring the files of this rescue back; what they overwrite is kept in another'),
  },
  routes: ['GET /projects/:pid/rescues', 'POST /projects/:pid/rescues/:id/restore'],
  examples: [
    { command: 'devloop rescues p-k3v7q2ma', what: 'newest first; diff and show take them as rescue/ID' },
    { command: 'devloop rescues p-k3v7q2ma --restore 20260101T120000Z-reset', what: 'undoes a reset' },
  ],
  run: async ({ pid, restore: id }, { connect }) => {
    const { api } = await connect();
    if (id === undefined) return api.call('GET /projects/:pid/rescues', { params: { pid } });
    return { restored: id, ...(await api.call('POST /projects/:pid/rescues/:id/restore', { params: { pid, id } })) };
  },
  print: (shown) => {
    if ('items' in shown)
      return table(
        shown.items.map(({ id, ts, reason, files }) => [id, ts.slice(0, 19), reason, `${files} files`]),
        'no rescues\n',
      );
    const kept = shown.rescue === undefined ? '' : `; what was there is kept as rescue/${shown.rescue}`;
    return `restored ${shown.restored}${kept}\n${leftText(shown.left)}`;
  },
});
