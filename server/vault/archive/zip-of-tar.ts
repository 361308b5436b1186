import { pipeline, type Readable } from 'node:stream';
import { type Extract, extract } from 'tar-stream';
import { bytesOf } from '../../domain/byte-path.ts';
import type { TreeEntry } from '../../domain/commit.ts';
import { type ZipEntry, zipStream } from '../../io/zip-stream.ts';
import type { TarEntries } from './tar-entries.ts';

export interface ZipOptions {
  readonly entries: TarEntries;
  /** Of every entry. */
  readonly time: Date;
  /** ASCII; stands before every name. */
  readonly prefix: string;
}

/** Makes a zip of a tar as it comes; destroyed where the tar breaks off or holds anything else than it should. */
export function zipOfTar(tar: Readable, options: ZipOptions): Readable {
  const reader = extract();
  // A failure of the tar reaches the zip through the reader.
  pipeline(tar, reader, () => {});
  return zipStream(zipEntries(reader, options)).once('close', () => tar.destroy());
}

async function* zipEntries(reader: Extract, { entries, time, prefix }: ZipOptions): AsyncGenerator<ZipEntry> {
  for await (const entry of reader) {
    const begun = await entries.begin(entry.header);
    if (begun === undefined) continue;
    const { file, target } = begun;
    const name = Buffer.concat([Buffer.from(prefix), bytesOf(file.path)]);
    const about = { name, mode: MODES[file.kind], time, size: target?.length ?? entry.header.size };
    yield {
      ...about,
      content: target === undefined ? checked(entry as AsyncIterable<Uint8Array>, entries) : only(target),
    };
  }
  entries.finish();
}

const MODES: Readonly<Record<TreeEntry['kind'], number>> = {
  file: 0o100644,
  executable: 0o100755,
  link: 0o120777,
  folder: 0o40755,
  gitlink: 0o40755,
};

async function* checked(content: AsyncIterable<Uint8Array>, entries: TarEntries): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    entries.data(chunk);
    yield chunk;
  }
  entries.end();
}

async function* only(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content;
}
