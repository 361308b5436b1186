/** The process that reads untrusted documents: one request in its arguments, files in its folder, a line of JSON out, of comparisons the last one counts; then the bytes of a picture. */

import { UnreadError } from '../unread-error.ts';
import { drawPicture, findDifference } from './answer.ts';
import type { ReadRequest } from './requests.ts';

/** The request comes from the server that started this process. */
const request = JSON.parse(process.argv[2] ?? '') as ReadRequest;
const say = (finding: unknown): void => {
  process.stdout.write(`${JSON.stringify(finding)}\n`);
};
try {
  const [finding, picture] =
    request.task === 'compare'
      ? [await findDifference(request, say)]
      : [{ kind: 'picture' }, await drawPicture(request)];
  say(finding);
  if (picture !== undefined) process.stdout.write(picture);
} catch (error) {
  const unread = unreadOf(error);
  if (unread === undefined) throw error;
  say({ kind: 'binary', why: unread.why, detail: unread.message });
}

/** Undefined for a fault of ours. A place beyond the end of the bytes is one that the document has named. */
function unreadOf(error: unknown): UnreadError | undefined {
  if (error instanceof UnreadError) return error;
  const beyond = error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  return beyond ? new UnreadError('damaged', 'it ends before it should', { cause: error }) : undefined;
}
