import { createHash, type Hash } from 'node:crypto';
import type { Header } from 'tar-stream';
import { pathText } from '../../domain/byte-path.ts';
import type { TreeEntry } from '../../domain/commit.ts';
import { DevLoopError } from '../../domain/errors.ts';
import type { ObjectReader } from '../../git/object-reader.ts';
import { hashObject, objectHeader } from '../../git/objects/object-id.ts';

export interface ArchivedEntry {
  readonly file: TreeEntry;
  /** Of a link. */
  readonly target?: Buffer;
}

/**
 * Holds the entries of git's tar against the files of the commit, one after the other: git gives out an object's content
 * without looking whether it is the one that its id stands for.
 */
export class TarEntries {
  readonly #files: readonly TreeEntry[];
  readonly #reader: ObjectReader;
  #next = 0;
  #hash: Hash | undefined;

  constructor(files: readonly TreeEntry[], reader: ObjectReader) {
    this.#files = files;
    this.#reader = reader;
  }

  /** The file that an entry belongs to, and a link's target; undefined for folders. Throws vault_damaged. */
  async begin({ type, mode, size, linkname }: Header): Promise<ArchivedEntry | undefined> {
    this.#hash = undefined;
    if (type === 'directory') return undefined;
    const file = this.#files[this.#next++];
    if (file === undefined) throw damaged('it holds more than the commit');
    const kind = type === 'symlink' ? 'link' : (mode & 0o100) === 0 ? 'file' : 'executable';
    if (kind !== file.kind) throw damaged(`it holds a ${kind} where the commit has a ${file.kind}`, file);
    if (kind === 'link') return { file, target: await this.#checkedLink(file, linkname) };
    this.#hash = createHash('sha1').update(objectHeader('blob', size));
    return { file };
  }

  data(chunk: Uint8Array): void {
    this.#hash?.update(chunk);
  }

  /** Throws vault_damaged where the content was not the file's. */
  end(): void {
    const file = this.#files[this.#next - 1];
    if (this.#hash !== undefined && this.#hash.digest('hex') !== file?.oid)
      throw damaged('it holds another content than the commit', file);
    this.#hash = undefined;
  }

  /** Throws vault_damaged where files are missing. */
  finish(): void {
    const left = this.#files[this.#next];
    if (left !== undefined) throw damaged('it ends early', left);
  }

  async #checkedLink(file: TreeEntry, target: string): Promise<Buffer> {
    const text = Buffer.from(target);
    if (hashObject('blob', text) === file.oid) return text;
    // The library reads names as UTF-8, which this one may not be.
    const { content } = await this.#reader.read(file.oid);
    if (target === content.toString('utf8')) return content;
    throw damaged('it holds a link to elsewhere', file);
  }
}

function damaged(why: string, file?: TreeEntry): DevLoopError {
  const at = file === undefined ? undefined : pathText(file.path);
  return new DevLoopError(
    'vault_damaged',
    `the archive is not what the commit says: ${why}${at ? ` at ${JSON.stringify(at.path)}` : ''}`,
    { data: { ...at } },
  );
}
