import type { Readable } from 'node:stream';
import { streamGit } from './stream.ts';

/** One exchange of a clone or fetch: what is offered, or the answer to what was asked for. */
export type UploadPackRequest = (
  | { readonly kind: 'advertise' }
  /** The body that the client sent, as it is. */
  | { readonly kind: 'exchange'; readonly body: Uint8Array }
) & { readonly signal: AbortSignal };

/** What only this program's own reading may see: attempts and rescues. */
const HIDDEN = 'uploadpack.hideRefs=refs/devloop';

/** Answers as git does over HTTP, protocol version 0, without a state between exchanges. It writes nothing. */
export function uploadPack(shadowDir: string, request: UploadPackRequest): Readable {
  const args = [
    'upload-pack',
    '--stateless-rpc',
    ...(request.kind === 'advertise' ? ['--advertise-refs'] : []),
    shadowDir,
  ];
  return streamGit(shadowDir, args, {
    config: [HIDDEN],
    signal: request.signal,
    limits: { idle_ms: 600_000 },
    ...(request.kind === 'exchange' ? { stdin: request.body } : {}),
  });
}
