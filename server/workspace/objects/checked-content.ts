import { createHash } from 'node:crypto';
import { DevLoopError } from '../../domain/errors.ts';
import type { LargeFile } from './large-objects.ts';

/** Passes a content on, and throws `store_damaged` in place of its end where size or sha256 are others. */
export async function* checkedContent(
  { sha256, size }: LargeFile,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let done = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    done += chunk.length;
    if (done > size) break;
    yield chunk;
  }
  if (done === size && hash.digest('hex') === sha256) return;
  throw new DevLoopError('store_damaged', `the content of the large file ${sha256} is not what was kept`, {
    data: { sha256, size },
    hint: '`devloop protect verify` names the points that need it.',
  });
}
