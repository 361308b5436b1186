import { bytePathFromText } from '../../domain/byte-path.ts';
import { DevLoopError } from '../../domain/errors.ts';
import { PHASES, parsePointId } from '../../domain/point.ts';
import { type PointAnswer, pointAnswer } from '../../domain/point-answer.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { table } from '../table.ts';

export const snaps = defineCommand({
  summary: 'List the points of this folder, newest first; show one, or print a file of it',
  args: {
    id: { description: 'a point', optional: true },
    path: { description: 'a file of it, from the root of the workspace', optional: true },
  },
  flags: { phase: flag.choice('--phase <phase>', 'only points of this kind', PHASES) },
  routes: [
    'GET /workspaces/:ws/checkpoints',
    'GET /workspaces/:ws/checkpoints/:id',
    'GET /workspaces/:ws/checkpoints/:id/file',
  ],
  examples: [
    { command: 'devloop snaps', what: 'ids for `devloop restore` and `devloop changes`' },
    { command: 'devloop snaps 20261130t180000000-0a1b2c src/app.js', what: 'the file as it was' },
  ],
  run: async ({ id, path, phase }, { workspace: open, json }) => {
    const workspace = await open();
    if (id === undefined) {
      const points = await workspace.points();
      return { items: points.filter((point) => phase === undefined || point.phase === phase).map(pointAnswer) };
    }
    const point = pointAnswer(await workspace.point(parsePointId(id)));
    if (path === undefined) return { items: [point] };
    const content = await workspace.readFile(parsePointId(id), { path: bytePathFromText(path), limit: LARGEST });
    if (content === undefined) throw new DevLoopError('not_found', `${id} holds no file ${path}`);
    return { path, content: json ? new TextDecoder().decode(content) : content };
  },
  print: (shown) => ('items' in shown ? listed(shown.items) : shown.content),
});

const LARGEST = 1 << 30;

function listed(items: readonly PointAnswer[]): string {
  return table(
    items.map(({ id, ts, phase, noop, counts, reason, name }) => [
      id,
      ts,
      phase,
      noop ? 'no change' : `${counts.files} files`,
      name ?? '',
      reason,
    ]),
    'no points yet; `devloop snap` makes one\n',
  );
}
