import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';

export const diff = defineCommand({
  summary: 'Compare two revisions, attempts or rescues',
  args: {
    pid: PID,
    from: { description: 'the one' },
    to: { description: 'the other; HEAD where absent', optional: true },
  },
  flags: { path: flag.text('--path <path>', 'only this file or folder') },
  routes: ['GET /projects/:pid/diff'],
  examples: [
    { command: 'devloop diff p-k3v7q2ma attempts/store/1/1 main', what: 'what the repair of a red attempt changed' },
    { command: 'devloop diff p-k3v7q2ma prd-rev-1 prd-rev-2 --path prd', what: 'two revisions of the requirements' },
  ],
  run: async ({ pid, ...query }, { connect, json }) => {
    const { api } = await connect();
    const asked = { params: { pid }, query: withoutUndefined(query) };
    if (json) return { ...(await api.call('GET /projects/:pid/diff', asked)), bytes: undefined };
    const response = await api.fetch('GET /projects/:pid/diff', { ...asked, headers: { accept: 'text/x-diff' } });
    return { bytes: new Uint8Array(await response.arrayBuffer()) };
  },
  print: ({ bytes }) => bytes ?? '',
});
