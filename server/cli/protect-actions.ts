import { pathText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { OBJECT_TARGETS, parseSettingsChange, parseWorkspaceId } from '../domain/point.ts';
import type { CommandContext } from './command.ts';
import { typedPath } from './workspace-path.ts';

type Action = (context: CommandContext, path: string | undefined) => Promise<ProtectAnswer>;

export type ProtectAnswer =
  | Awaited<ReturnType<typeof status>>
  | Awaited<ReturnType<typeof verify>>
  | Awaited<ReturnType<typeof purge>>
  | Awaited<ReturnType<typeof explain>>
  | Awaited<ReturnType<typeof prune>>
  | Awaited<ReturnType<typeof list>>
  | Awaited<ReturnType<typeof settings>>
  | Awaited<ReturnType<typeof objects>>
  | Awaited<ReturnType<typeof attach>>
  | Awaited<ReturnType<typeof forget>>;

/** What `devloop protect` can do, by its first word. */
export const PROTECT_ACTIONS: Readonly<Record<string, Action>> = {
  status,
  verify,
  purge,
  explain,
  prune,
  settings,
  objects,
  list,
  attach,
  forget,
};

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

async function prune({ workspace, workspaces }: CommandContext, which: string | undefined) {
  if (which === 'all') return { pruned_all: await (await workspaces()).pruneAll() };
  if (which !== undefined) throw new DevLoopError('bad_request', '`devloop protect prune` takes `all`, or nothing.');
  return { pruned: await (await workspace()).prune() };
}

async function list({ workspaces }: CommandContext) {
  const known = (await workspaces()).list();
  return { items: known.map(({ id, root, file: { name, created_at } }) => ({ id, root, name, created_at })) };
}

async function settings({ workspace }: CommandContext, change: string | undefined) {
  const { file, changeSettings } = await workspace();
  return { settings: (change === undefined ? file : changeSettings(parseSettingsChange(fromJson(change)))).settings };
}

async function objects({ workspace: open, signal }: CommandContext, target: string | undefined) {
  const workspace = await open();
  if (target === undefined) return { objects: await workspace.objects(signal) };
  const to = OBJECT_TARGETS.find((known) => known === target);
  if (to !== undefined) return { moved: await workspace.moveObjects(to, signal) };
  throw new DevLoopError('bad_request', '`devloop protect objects` takes `folder` or `bucket`.');
}

async function attach({ workspaces, cwd }: CommandContext, id: string | undefined) {
  const known = await workspaces();
  return { attached: known.attach(parseWorkspaceId(required(id, 'attach', 'the id of a history')), cwd).id };
}

async function forget({ workspace, workspaces, terminal, yes }: CommandContext) {
  const { id, root } = await workspace();
  const sure = await terminal.confirm(`Delete every point of ${root}, for good?`, { yes });
  if (sure) await (await workspaces()).remove(id);
  return { forgotten: sure ? id : null };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DevLoopError('bad_request', 'The settings are not JSON.', { cause: error });
  }
}

function required(given: string | undefined, action: string, what = 'a path'): string {
  if (given !== undefined) return given;
  throw new DevLoopError('bad_request', `\`devloop protect ${action}\` takes ${what}.`);
}
