import type { Readable } from 'node:stream';
import { MAIN, TAGS } from '../domain/ref-names.ts';
import { streamGit } from './stream.ts';

/** One exchange of a clone or fetch: what is offered, or the answer to what was asked for. */
export type UploadPackRequest = (
  | { readonly kind: 'advertise' }
  /** The body that the client sent, as it is. */
  | { readonly kind: 'exchange'; readonly body: Uint8Array }
) & { readonly signal: AbortSignal };

/** Only main and the tags are told of, and what they reach given out; the setting that comes last counts. */
const OFFERED = ['refs', `!${MAIN}`, `!${TAGS.slice(0, -1)}`].map((refs) => `uploadpack.hideRefs=${refs}`);

/** Answers as git does over HTTP, protocol version 0, without a state between exchanges. It writes nothing. */
export function uploadPack(gitDir: string, request: UploadPackRequest): Readable {
  const args = [
    'upload-pack',
    '--stateless-rpc',
    ...(request.kind === 'advertise' ? ['--advertise-refs'] : []),
    gitDir,
  ];
  return streamGit(gitDir, args, {
    config: OFFERED,
    signal: request.signal,
    limits: { idle_ms: 600_000 },
    ...(request.kind === 'exchange' ? { stdin: request.body } : {}),
  });
}
