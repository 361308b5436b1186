import { defineCommand } from '../command.ts';
import { comparedSides } from '../compared-sides.ts';
import { flag } from '../flags.ts';
import { table } from '../table.ts';

export const changes = defineCommand({
  summary: 'Show what differs between two points, or a point and now',
  args: {
    from: { description: 'a point; the newest where absent', optional: true },
    to: { description: 'a point, or `now`; now where absent', optional: true },
  },
  flags: {
    patch: flag.on('--patch', 'show what differs in them: lines, and the words of documents'),
    stat: flag.on('--stat', 'say for each file how much of it differs'),
  },
  routes: ['GET /workspaces/:ws/checkpoints/:id/changes', 'GET /workspaces/:ws/checkpoints/:id/diff'],
  examples: [
    { command: 'devloop changes', what: 'what was changed since the newest point' },
    { command: 'devloop changes --stat', what: 'how much: lines, paragraphs, cells, pixels' },
    { command: 'devloop changes 20261130t180000000-0a1b2c now --patch', what: 'line by line' },
  ],
  run: async ({ from, to, patch, stat }, { workspace: open, comparer, signal }) => {
    const workspace = await open();
    const sides = await comparedSides(workspace, { from, to });
    if (!patch && !stat) return { ...sides, items: await workspace.changes(sides.from, sides.to) };
    const { workspacePatch, summaryOf } = await import('../../app-workspaces.ts');
    const files = await workspacePatch(workspace, { ...sides, comparer: await comparer(), signal });
    const items = files.map(({ patch: _, ...file }) => ({
      ...file,
      summary: file.comparison === undefined ? 'not compared' : summaryOf(file.comparison),
    }));
    if (!patch) return { ...sides, items };
    return { ...sides, items, patch: Buffer.concat(files.map((file) => file.patch)).toString() };
  },
  print: (shown) =>
    'patch' in shown
      ? shown.patch
      : table(
          shown.items.map(({ change, path, renamed_from, ...rest }) => [
            change,
            path,
            renamed_from === undefined ? '' : `was ${renamed_from.path}`,
            'summary' in rest ? rest.summary : '',
          ]),
          'nothing differs\n',
        ),
});
