import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** What is at one path: kind, permission bits, sha256 of a file's bytes or the text of a link; and when a file was written. */
export interface DigestEntry {
  readonly what: string;
  /** Milliseconds; 0 for folders, which change with their entries. */
  readonly mtime: number;
}

/** Everything below a folder by its path in bytes (latin1), read with nothing of what is being checked. */
export type FolderDigest = ReadonlyMap<string, DigestEntry>;

export function digestFolder(root: string): FolderDigest {
  const found = new Map<string, DigestEntry>();
  const visit = (folder: Buffer, prefix: string): void => {
    for (const name of readdirSync(folder, { encoding: 'latin1' }).sort()) {
      const at = Buffer.concat([folder, Buffer.from(`/${name}`, 'latin1')]);
      const stats = lstatSync(at);
      const mode = (stats.mode & 0o7777).toString(8);
      if (stats.isDirectory()) {
        found.set(prefix + name, { what: `folder ${mode}`, mtime: 0 });
        visit(at, `${prefix}${name}/`);
      } else if (stats.isSymbolicLink()) {
        const text = readlinkSync(at, { encoding: 'buffer' }).toString('latin1');
        found.set(prefix + name, { what: `link ${text}`, mtime: stats.mtimeMs });
      } else {
        const sha256 = createHash('sha256').update(readFileSync(at)).digest('hex');
        found.set(prefix + name, { what: `file ${mode} ${sha256}`, mtime: stats.mtimeMs });
      }
    }
  };
  visit(Buffer.from(root), '');
  return found;
}

/** The paths at which two digests differ; `only` chooses paths. */
export function digestDifference(
  a: FolderDigest,
  b: FolderDigest,
  only: (path: string) => boolean = () => true,
): readonly string[] {
  const paths = new Set([...a.keys(), ...b.keys()]);
  return [...paths].filter((path) => only(path) && a.get(path)?.what !== b.get(path)?.what).sort();
}
