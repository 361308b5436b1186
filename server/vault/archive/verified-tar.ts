import { once } from 'node:events';
import { Transform } from 'node:stream';
import { type Extract, extract } from 'tar-stream';
import type { TarEntries } from './tar-entries.ts';

/** Passes a tar on as it is, and is destroyed where the tar holds anything else than it should. */
export function verifiedTar(entries: TarEntries): Transform {
  const reader = extract();
  const checked = checkEntries(reader, entries);
  const passing = new Transform({
    transform(chunk: Buffer, _encoding, done): void {
      if (reader.write(chunk)) done(undefined, chunk);
      else once(reader, 'drain').then(() => done(undefined, chunk), done);
    },
    flush(done): void {
      reader.end(undefined);
      checked.then(() => done(), done);
    },
    destroy(error, done): void {
      reader.destroy(error ?? undefined);
      done(error);
    },
  });
  checked.catch((error: Error) => passing.destroy(error));
  return passing;
}

async function checkEntries(reader: Extract, entries: TarEntries): Promise<void> {
  for await (const entry of reader) {
    await entries.begin(entry.header);
    for await (const chunk of entry as AsyncIterable<Uint8Array>) entries.data(chunk);
    entries.end();
  }
  entries.finish();
}
