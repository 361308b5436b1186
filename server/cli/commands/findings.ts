import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const findings = defineCommand({
  summary: 'List what looks like secrets in the commits, or allow it to leave',
  args: { pid: PID },
  flags: {
    allow: flag.text('--allow <blob:rule>', 'let this finding out: its file, and the same secrets in others'),
  },
  routes: ['GET /projects/:pid/findings', 'POST /projects/:pid/findings/allow'],
  examples: [
    { command: 'devloop findings p-k3v7q2ma', what: 'open ones keep export, bundle and clone from working' },
    {
      command: 'devloop findings p-k3v7q2ma --allow 3b18e512dba79e4c8300dd08aeb37f8e728b8dad:github',
      what: 'a made-up token of a test, say',
    },
  ],
  run: async ({ pid, allow }, { connect }) => {
    const { api } = await connect();
    if (allow === undefined) return api.call('GET /projects/:pid/findings', { params: { pid } });
    return api.call('POST /projects/:pid/findings/allow', { params: { pid }, body: parseFinding(allow) });
  },
  print: (shown) => {
    if (!('items' in shown)) return `${shown.path}:${shown.line} (${shown.rule}) is allowed\n`;
    const rows = shown.items.map(({ open, path, line, rule, commit, blob }) => [
      open ? 'open' : 'allowed',
      `${path}:${line}`,
      commit.slice(0, 7),
      `${blob}:${rule}`,
    ]);
    const left = shown.not_scanned.map(({ path, reason }) => [reason, path]);
    return `${table(rows, 'no findings\n')}${left.length === 0 ? '' : `not looked at:\n${table(left)}`}`;
  },
});

function parseFinding(text: string): { readonly blob: string; readonly rule: string } {
  const [, blob, rule] = /^([0-9a-f]{40}):([a-z0-9-]+)$/.exec(text) ?? [];
  if (blob !== undefined && rule !== undefined) return { blob, rule };
  throw new DevLoopError('bad_request', `--allow takes BLOB:RULE as the list shows it, not ${JSON.stringify(text)}.`);
}
