import { defineCommand } from '../command.ts';
import { filesText, leftText } from '../commit-text.ts';
import { PID } from '../flags.ts';

export const reset = defineCommand({
  summary: 'Make the files those of a revision; uncommitted work is kept in a rescue',
  args: { pid: PID, rev: { description: 'the revision; HEAD where absent', optional: true } },
  routes: ['POST /projects/:pid/reset'],
  examples: [{ command: 'devloop reset p-k3v7q2ma', what: 'shows what is uncommitted and asks' }],
  run: async ({ pid, rev: ref = 'HEAD' }, { connect, terminal, yes }) => {
    const { api } = await connect();
    const params = { pid };
    const { files, snapshot } = await api.call('GET /projects/:pid/status', { params });
    if (files.length > 0) terminal.note(filesText(files).trimEnd());
    const done = await terminal.confirm(
      `Make the files of ${pid} those of ${ref}? ${files.length} uncommitted are kept in a rescue.`,
      { yes },
    );
    if (!done) return { done };
    const headers = { 'if-match': `"${snapshot}"` };
    return { done, ...(await api.call('POST /projects/:pid/reset', { params, body: { ref }, headers })) };
  },
  print: (outcome) => {
    if (!outcome.done) return 'nothing was changed\n';
    if (!('left' in outcome)) return 'done\n';
    const kept = outcome.rescue === undefined ? '' : `; what was there is kept as rescue/${outcome.rescue}`;
    return `done${kept}\n${leftText(outcome.left)}`;
  },
});
