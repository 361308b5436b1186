import { DevLoopError } from '../../domain/errors.ts';
import { parsePointId } from '../../domain/point.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { table } from '../table.ts';

export const changes = defineCommand({
  summary: 'Show what differs between two points, or a point and now',
  args: {
    from: { description: 'a point; the newest where absent', optional: true },
    to: { description: 'a point, or `now`; now where absent', optional: true },
  },
  flags: { patch: flag.on('--patch', 'show the lines that differ') },
  routes: ['GET /workspaces/:ws/checkpoints/:id/changes', 'GET /workspaces/:ws/checkpoints/:id/diff'],
  examples: [
    { command: 'devloop changes', what: 'what was changed since the newest point' },
    { command: 'devloop changes 20261130t180000000-0a1b2c now --patch', what: 'line by line' },
  ],
  run: async ({ from, to, patch }, { workspace: open, comparer, signal }) => {
    const workspace = await open();
    const [newest] = from === undefined ? await workspace.points() : [];
    if (from === undefined && newest === undefined) {
      throw new DevLoopError('point_not_found', 'there is no point of this folder yet', {
        hint: '`devloop snap` makes one.',
      });
    }
    const sides = {
      from: from === undefined ? parsePointId(newest?.id ?? '') : parsePointId(from),
      to: to === undefined || to === 'now' ? ('now' as const) : parsePointId(to),
    };
    if (!patch) return { ...sides, items: await workspace.changes(sides.from, sides.to) };
    const { workspacePatch } = await import('../../app-workspaces.ts');
    const files = await workspacePatch(workspace, { ...sides, comparer: await comparer(), signal });
    const lines = Buffer.concat(files.map((file) => file.patch)).toString();
    return { ...sides, items: files.map(({ patch: _, ...file }) => file), patch: lines };
  },
  print: (shown) =>
    'patch' in shown
      ? shown.patch
      : table(
          shown.items.map(({ change, path, renamed_from }) => [
            change,
            path,
            renamed_from === undefined ? '' : `was ${renamed_from.path}`,
          ]),
          'nothing differs\n',
        ),
});
