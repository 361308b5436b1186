import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import fc from 'fast-check';

/** One change to a folder; paths are bytes, one a character. */
export type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly content: string; readonly sameTime: boolean }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  | { readonly kind: 'remove' | 'folder'; readonly path: string }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number }
  | { readonly kind: 'move'; readonly path: string; readonly to: string };

const NAMES = ['a', 'b', 'A', 'ab', 'a.b', 'a-b', '-x', ' ', 'n\n"', '\xe9\xff', '\xc3\xa9', '.hidden', 'x'.repeat(60)];

/** Names collide often, so that files, folders and links take each other's place. */
export function editsOf(names: readonly string[] = NAMES): fc.Arbitrary<readonly Edit[]> {
  const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  const content = fc.constantFrom('', 'x', 'y', 'one\n', 'two\n', '\r\n\0\xff', 'long '.repeat(50));
  const target = fc.constantFrom('..', '/etc/passwd', 'gone/away', '\xe9');
  const edit = fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('write' as const), path, content, sameTime: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('link' as const), path, target }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('remove' as const, 'folder' as const), path }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('mode' as const),
        path,
        mode: fc.constantFrom(0o644, 0o755, 0o600, 0o700),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('move' as const), path, to: path }) },
  );
  return fc.array(edit, { minLength: 1, maxLength: 12 });
}

/** Carries edits out; what stands in the way of a path is removed first. */
export function applyEdits(root: string, edits: readonly Edit[]): void {
  for (const edit of edits) applyEdit(root, edit);
}

function applyEdit(root: string, edit: Edit): void {
  const at = onDisk(root, edit.path);
  const now = look(at);
  switch (edit.kind) {
    case 'write':
      if (now === undefined || !now.isFile()) clear(root, edit.path);
      writeFileSync(at, Buffer.from(edit.content, 'latin1'));
      if (edit.sameTime && now?.isFile()) utimesSync(at, now.atimeMs / 1000, now.mtimeMs / 1000);
      return;
    case 'link':
      clear(root, edit.path);
      symlinkSync(Buffer.from(edit.target, 'latin1'), at);
      return;
    case 'folder':
      if (!now?.isDirectory()) clear(root, edit.path);
      mkdirSync(at, { recursive: true });
      return;
    case 'remove':
      remove(at);
      return;
    case 'mode':
      if (now?.isFile()) chmodSync(at, edit.mode);
      return;
    case 'move':
      if (
        now === undefined ||
        edit.to === edit.path ||
        edit.to.startsWith(`${edit.path}/`) ||
        edit.path.startsWith(`${edit.to}/`)
      )
        return;
      clear(root, edit.to);
      if (look(at) && !throughLink(root, edit.path)) renameSync(at, onDisk(root, edit.to));
  }
}

function throughLink(root: string, path: string): boolean {
  const parts = path.split('/');
  return parts.some((_, depth) => depth > 0 && look(onDisk(root, parts.slice(0, depth).join('/')))?.isSymbolicLink());
}

/** Makes the folders above a path, in place of whatever is there, and removes what is at the path. */
function clear(root: string, path: string): void {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const folder = onDisk(root, parts.slice(0, depth).join('/'));
    if (!look(folder)?.isDirectory()) {
      rmSync(folder, { force: true });
      mkdirSync(folder);
    }
  }
  remove(onDisk(root, path));
}

function remove(at: Buffer): void {
  if (look(at)) rmSync(at, { recursive: true });
}

function look(at: Buffer): Stats | undefined {
  try {
    return lstatSync(at);
  } catch {
    return undefined;
  }
}

/** A path in bytes, as `node:fs` takes it. */
export function onDisk(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}
