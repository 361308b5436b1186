import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { bytePathFromText } from '../../domain/byte-path.ts';
import { DevLoopError } from '../../domain/errors.ts';
import { parsePointId } from '../../domain/point.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { identitiesIn, makeKey } from '../history-keys.ts';
import { saveStream } from '../save-download.ts';
import { table } from '../table.ts';

export const history = defineCommand({
  summary: 'List the git histories that a point holds; save one as it is, or write it as a new git dir',
  args: {
    id: { description: 'a point; the newest where absent', optional: true },
    path: { description: 'a repository, from the root of the workspace; `.` is the root itself', optional: true },
  },
  flags: {
    to: flag.text(
      '--to <dir>',
      'write it as a git dir here, where nothing is; one that is named `.git` has the folder as its work tree',
    ),
    identity: flag.text('-i, --identity <file>', 'the key that opens it: a file with an age identity'),
    output: flag.text(
      '-o, --output <file>',
      'save the encrypted bundle; `age -d` opens it, and git reads what comes out',
    ),
    newKey: flag.text(
      '--new-key <file>',
      'make a key instead: the identity goes to this file, the recipient is printed',
    ),
  },
  routes: ['GET /workspaces/:ws/checkpoints/:id/history'],
  examples: [
    { command: 'devloop history --new-key history.key', what: 'put the recipient into `history_recipients`' },
    { command: 'devloop history', what: 'what the newest point holds' },
    { command: 'devloop history 20261130t180000000-0a1b2c lib -o lib.bundle.age', what: 'as it is kept' },
    {
      command: 'devloop history 20261130t180000000-0a1b2c lib --to ../lib.git -i history.key',
      what: 'a repository again',
    },
  ],
  run: async ({ id, path, to, identity, output, newKey }, context) => {
    if (newKey !== undefined) return { recipient: await makeKey(resolve(context.cwd, newKey)) };
    const workspace = await context.workspace();
    const point = id ?? (await workspace.points())[0]?.id;
    if (point === undefined) throw new DevLoopError('point_not_found', 'There is no point yet.');
    const at = parsePointId(point);
    if (path === undefined) return { items: (await workspace.point(at)).nested };
    const repository = bytePathFromText(path === '.' ? '' : path);
    if (to !== undefined) {
      const how = { to: resolve(context.cwd, to), identities: identitiesIn(identity, context.cwd) };
      return { restored: await workspace.restoreHistory(at, repository, how) };
    }
    if (output === undefined)
      throw new DevLoopError('bad_request', 'Say --to DIR with --identity FILE, or --output FILE.');
    const { content } = await workspace.openHistory(at, repository, context.signal);
    return { saved: await saveStream(Readable.toWeb(Readable.from(content)), output, context) };
  },
  print: (shown) => {
    if ('recipient' in shown) return `${shown.recipient}\n`;
    if ('restored' in shown) return `${shown.restored.git_dir}: ${shown.restored.refs} refs\n`;
    if ('saved' in shown) return `${shown.saved.file ?? 'stdout'} (${shown.saved.bytes} bytes)\n`;
    return table(
      shown.items.map(({ path, history: kept, history_left_out }) => [
        path === '' ? '.' : path,
        kept === undefined
          ? `not kept${history_left_out === undefined ? '' : `: ${history_left_out}`}`
          : `${kept.refs} refs`,
        kept === undefined ? '' : `${kept.size} bytes`,
      ]),
      'no repository is in this folder\n',
    );
  },
});
