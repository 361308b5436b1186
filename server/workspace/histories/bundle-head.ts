import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';

export interface OpenBundle {
  /** By name (bytes, latin1), `HEAD` among them where it was at a commit. */
  readonly refs: ReadonlyMap<string, Oid>;
  readonly pack: AsyncIterable<Uint8Array>;
}

const MOST_HEAD = 64 * 1024 * 1024;
const SIGNATURE = '# v2 git bundle\n';

/** Reads the list of refs at the beginning of a bundle, and gives the pack behind it. Throws `store_damaged`. */
export async function readBundle(content: AsyncIterable<Uint8Array>): Promise<OpenBundle> {
  const chunks = content[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  for (let end = -1; end < 0; ) {
    const next = await chunks.next();
    if (next.done || head.length > MOST_HEAD) throw damaged();
    head = Buffer.concat([head, next.value]);
    end = head.indexOf('\n\n');
    if (end >= 0)
      return { refs: parseRefs(head.toString('latin1', 0, end + 1)), pack: rest(head.subarray(end + 2), chunks) };
  }
  throw damaged();
}

function parseRefs(text: string): ReadonlyMap<string, Oid> {
  if (!text.startsWith(SIGNATURE)) throw damaged();
  const lines = text.slice(SIGNATURE.length).split('\n').slice(0, -1);
  return new Map(
    lines.map((line) => {
      const [, oid, name] = /^([0-9a-f]{40}) (HEAD|refs\/.+)$/s.exec(line) ?? [];
      if (oid === undefined || name === undefined) throw damaged();
      return [name, oid as Oid] as const;
    }),
  );
}

async function* rest(first: Uint8Array, chunks: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
}

function damaged(): DevLoopError {
  return new DevLoopError('store_damaged', 'what was decrypted is no git bundle of ours');
}
