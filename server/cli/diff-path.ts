import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import type { CommandContext } from './command.ts';
import { comparedSides } from './compared-sides.ts';
import { typedPath } from './workspace-path.ts';

export interface PathDiffRequest {
  /** A file or folder, as it was typed. */
  readonly typed: string;
  readonly since: string | undefined;
  readonly until: string | undefined;
  /** A file that gets a PNG instead of text going out; `-` is stdout. */
  readonly picture: string | undefined;
  readonly page: number | undefined;
  readonly show: 'before' | 'after' | 'difference' | undefined;
}

/** Compares a file or folder of this workspace between two points, or a point and now: by text, or as a picture. */
export async function diffPath(
  request: PathDiffRequest,
  context: CommandContext,
): Promise<{ readonly shown: () => Uint8Array }> {
  const workspace = await context.workspace();
  const path = typedPath(request.typed, { cwd: context.cwd, root: workspace.root });
  const sides = await comparedSides(workspace, { from: request.since, to: request.until });
  const [{ workspacePatch, workspacePicture }, comparer] = await Promise.all([
    import('../app-workspaces.ts'),
    context.comparer(),
  ]);
  const { signal } = context;
  if (request.picture === undefined) {
    const files = await workspacePatch(workspace, { ...sides, path, comparer, signal });
    const patch = Buffer.concat(files.map((file) => file.patch));
    const data = { ...sides, files: files.map(({ patch: _, ...file }) => file), patch: patch.toString() };
    return told(data, files.length === 0 ? Buffer.from('nothing differs\n') : patch);
  }
  const { page = 1, show = 'difference' } = request;
  const png = await workspacePicture(workspace, { ...sides, path, comparer, page, show, signal });
  if (request.picture === '-') return told({ bytes: png.length }, png);
  const file = await writePicture(png, request.picture, context);
  return told({ file, bytes: png.length }, Buffer.from(`${file} (${png.length} bytes)\n`));
}

/** The data for --json, and beside it, where no JSON comes to see it, what people get. */
function told<Data extends object>(data: Data, shown: Uint8Array): Data & { readonly shown: () => Uint8Array } {
  return { ...data, shown: () => shown };
}

async function writePicture(png: Uint8Array, name: string, { cwd, terminal, yes }: CommandContext): Promise<string> {
  const file = resolve(cwd, name);
  if (existsSync(file) && !(await terminal.confirm(`${file} exists. Overwrite it?`, { yes }))) {
    throw new DevLoopError('conflict', `${file} exists.`);
  }
  writeFileSync(file, png);
  return file;
}
