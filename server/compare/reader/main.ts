/** The process that reads untrusted documents: one request in its arguments, files in its folder, one line of JSON out, then the bytes of a picture. */

import { UnreadError } from '../unread-error.ts';
import { drawPicture, findDifference } from './answer.ts';
import type { ReadRequest } from './requests.ts';

/** The request comes from the server that started this process. */
const request = JSON.parse(process.argv[2] ?? '') as ReadRequest;
try {
  const [finding, picture] =
    request.task === 'compare' ? [await findDifference(request)] : [{ kind: 'picture' }, await drawPicture(request)];
  process.stdout.write(`${JSON.stringify(finding)}\n`);
  if (picture !== undefined) process.stdout.write(picture);
} catch (error) {
  if (!(error instanceof UnreadError)) throw error;
  process.stdout.write(`${JSON.stringify({ kind: 'binary', why: error.why, detail: error.message })}\n`);
}
