import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { diffPath } from '../diff-path.ts';
import { flag } from '../flags.ts';

const SIDES = ['before', 'after', 'difference'] as const;

export const diff = defineCommand({
  summary: 'Compare a file or folder of this workspace, or two revisions, attempts or rescues of a project',
  args: {
    what: { description: "a file or folder here; or a project's id" },
    from: { description: 'of a project: the one revision', optional: true },
    to: { description: 'the other; HEAD where absent', optional: true },
  },
  flags: {
    path: flag.text('--path <path>', 'of a project: only this file or folder'),
    since: flag.text('--since <point>', 'of a workspace: the point to compare with; the newest where absent'),
    until: flag.text('--until <point>', 'of a workspace: another point, or `now`; now where absent'),
    picture: flag.text('--picture <file>', 'write how a picture, page or slide differs as PNG; `-` is stdout'),
    show: flag.choice('--show <side>', 'what the picture shows; how both differ where absent', SIDES),
    page: flag.number('--page <n>', 'page or slide of the picture; the first where absent'),
  },
  routes: [
    'GET /projects/:pid/diff',
    'GET /workspaces/:ws/checkpoints/:id/diff',
    'GET /workspaces/:ws/checkpoints/:id/preview',
  ],
  examples: [
    { command: 'devloop diff report.docx', what: 'the words that changed since the newest point' },
    { command: 'devloop diff plan.pdf --picture page.png --page 3', what: 'a page, with what changed in red' },
    { command: 'devloop diff p-k3v7q2ma attempts/store/1/1 main', what: 'what the repair of a red attempt changed' },
    { command: 'devloop diff p-k3v7q2ma prd-rev-1 prd-rev-2 --path prd', what: 'two revisions of the requirements' },
  ],
  run: async ({ what, from, to, path, ...ofPath }, context) => {
    if (from === undefined) return diffPath({ typed: what, ...ofPath }, context);
    const { api } = await context.connect();
    const asked = { params: { pid: what }, query: withoutUndefined({ from, to, path }) };
    if (context.json) return { ...(await api.call('GET /projects/:pid/diff', asked)), shown: () => '' };
    const response = await api.fetch('GET /projects/:pid/diff', { ...asked, headers: { accept: 'text/x-diff' } });
    const patch = new Uint8Array(await response.arrayBuffer());
    return { shown: () => patch };
  },
  print: ({ shown }) => shown(),
});
