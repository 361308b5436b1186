import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import ndjson from 'ndjson';

/** Puts records into lines of JSON, one each. */
export function ndjsonText(records: readonly object[]): Promise<string> {
  return text(Readable.from(records).pipe(ndjson.stringify()));
}
