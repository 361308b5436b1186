import { pathText } from '../../domain/byte-path.ts';
import { DevLoopError } from '../../domain/errors.ts';
import { type CommandContext, defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { protectText } from '../protect-text.ts';
import { typedPath } from '../workspace-path.ts';

export const protect = defineCommand({
  summary: 'Look after the history of this folder',
  args: {
    action: { description: '`status`, `verify`, `purge`, `explain`, `prune` or `list`' },
    path: { description: 'what to purge or explain', optional: true },
  },
  routes: [],
  examples: [
    { command: 'devloop protect status', what: 'what is protected, what is not and why' },
    { command: 'devloop protect verify', what: 'reads the whole store' },
    { command: 'devloop protect explain dist/app.js', what: 'which rule decides' },
    { command: 'devloop protect purge .env --yes', what: 'out of every point, for good' },
  ],
  run: async ({ action, path }, context) => {
    const run = ACTIONS[action];
    if (run !== undefined) return { action, ...(await run(context, path)) };
    throw new DevLoopError('bad_request', `There is no \`devloop protect ${action}\`.`, {
      hint: `One of ${Object.keys(ACTIONS).join(', ')}.`,
    });
  },
  print: protectText,
  status: (shown) => ('problems' in shown && shown.problems.length > 0 ? EXIT.failed : EXIT.ok),
});

type Action = (context: CommandContext, path: string | undefined) => Promise<ProtectAnswer>;

export type ProtectAnswer =
  | Awaited<ReturnType<typeof status>>
  | Awaited<ReturnType<typeof verify>>
  | Awaited<ReturnType<typeof purge>>
  | Awaited<ReturnType<typeof explain>>
  | Awaited<ReturnType<typeof prune>>
  | Awaited<ReturnType<typeof list>>;

const ACTIONS: Readonly<Record<string, Action>> = { status, verify, purge, explain, prune, list };

async function status({ workspace }: CommandContext) {
  return { status: await (await workspace()).status() };
}

async function verify({ workspace, signal }: CommandContext) {
  return await (await workspace()).verify(signal);
}

async function purge({ workspace: open, terminal, yes, cwd }: CommandContext, path: string | undefined) {
  const workspace = await open();
  const target = typedPath(required(path, 'purge'), { cwd, root: workspace.root });
  const sure = await terminal.confirm(`Take ${path} out of every point, for good?`, { yes });
  return { purged: sure ? await workspace.purge(target) : { points: [] } };
}

async function explain({ workspace: open, cwd }: CommandContext, path: string | undefined) {
  const workspace = await open();
  const { at, ...why } = workspace.explain(typedPath(required(path, 'explain'), { cwd, root: workspace.root }));
  return { explained: { ...why, ...(at !== undefined && { at: pathText(at) }) } };
}

async function prune({ workspace }: CommandContext) {
  return { pruned: await (await workspace()).prune() };
}

async function list({ workspaces }: CommandContext) {
  const known = (await workspaces()).list();
  return { items: known.map(({ id, root, file: { name, created_at } }) => ({ id, root, name, created_at })) };
}

function required(path: string | undefined, action: string): string {
  if (path !== undefined) return path;
  throw new DevLoopError('bad_request', `\`devloop protect ${action}\` takes a path.`);
}
