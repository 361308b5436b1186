import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface SnapshotEntry {
  readonly kind: 'file' | 'link' | 'folder' | 'special';
  readonly mode: number;
  /** Bytes of a file, text of a link; latin1. */
  readonly content: string;
  readonly mtime: number;
  readonly ino: number;
}

/** Everything below a folder, by path in bytes; names for which `skip` is true are left out with what is in them. */
export function diskSnapshot(root: string, skip: (name: string) => boolean = () => false): Map<string, SnapshotEntry> {
  const found = new Map<string, SnapshotEntry>();
  const visit = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, { encoding: 'latin1' }).sort()) {
      if (skip(name)) continue;
      const at = Buffer.concat([folder, Buffer.from('/'), Buffer.from(name, 'latin1')]);
      const stats = lstatSync(at);
      const kind = stats.isFile()
        ? 'file'
        : stats.isDirectory()
          ? 'folder'
          : stats.isSymbolicLink()
            ? 'link'
            : 'special';
      const content =
        kind === 'file'
          ? readFileSync(at, 'latin1')
          : kind === 'link'
            ? readlinkSync(at, 'latin1' as BufferEncoding)
            : '';
      const mode = kind === 'link' ? 0 : stats.mode & 0o7777;
      found.set(prefix + name, { kind, mode, content, mtime: kind === 'folder' ? 0 : stats.mtimeMs, ino: stats.ino });
      if (kind === 'folder') visit(at, `${prefix}${name}/`);
    }
  };
  visit(Buffer.from(root), '');
  return found;
}

/** The same without what a restore may change: times and inodes. */
export function contentOf(snapshot: ReadonlyMap<string, SnapshotEntry>): Record<string, string> {
  return Object.fromEntries(
    [...snapshot].map(([path, { kind, mode, content }]) => [path, `${kind} ${mode.toString(8)} ${content}`]),
  );
}
