import { gunzipSync } from 'node:zlib';
import { type Request, type Response, Router } from 'express';
import { DevLoopError } from '../../domain/errors.ts';
import { type ProjectId, parseProjectId } from '../../domain/ids.ts';
import { tokenGuard } from '../guard/request-guards.ts';
import type { TokenCheck } from '../guard/token-check.ts';
import type { HttpSetup } from '../options.ts';
import { readBody } from '../read-body.ts';
import { sendDownload } from '../send-outcome.ts';
import type { HttpServices } from '../services.ts';

export interface GitParts {
  readonly services: HttpServices;
  readonly setup: HttpSetup;
  readonly tokens: TokenCheck;
  readonly stopping: AbortSignal;
}

/** git names HEAD before it reads the other refs: what is offered is held, up to so much, until all of it is there; bytes. */
const OFFER_BYTES = 16 * 1024 * 1024;
/** What a fetch asks for: a line for each commit that the client has. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const SERVICE = 'git-upload-pack';
/** git's own framing: length in hex, text; then a flush. */
const ANNOUNCEMENT = `001e# service=${SERVICE}\n0000`;

/** `git clone` and `git fetch` over HTTP: any user, the token as the password; nothing can be pushed. */
export function gitRouter({ services, setup, tokens, stopping }: GitParts): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const send = async (request: Request, response: Response, exchange: { type: string; body?: Uint8Array }) => {
    const pid = await projectAt(services, request.params);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const signal = AbortSignal.any([gone.signal, stopping]);
    const { type, body } = exchange;
    const content = await services.vault.uploadPack(
      pid,
      body === undefined ? { kind: 'advertise', signal } : { kind: 'exchange', body, signal },
    );
    // A pack is not held: git tells of its progress, and of what fails, in the answer itself.
    const sending =
      body === undefined ? { prefix: ANNOUNCEMENT, held_bytes: OFFER_BYTES } : { prefix: '', held_bytes: 0 };
    await sendDownload({ kind: 'download', type, content, ...sending }, { request, response }, setup);
  };
  router.use(tokenGuard(tokens, 'Basic'));
  router.get('/:cid/:repository/info/refs', (request, response) => {
    if (request.query.service !== SERVICE) throw refused();
    return send(request, response, { type: `application/x-${SERVICE}-advertisement` });
  });
  router.post(`/:cid/:repository/${SERVICE}`, async (request, response) => {
    const sent = await readBody(request, MAX_BODY_BYTES);
    const body = request.get('content-encoding') === 'gzip' ? unpacked(sent) : sent;
    return send(request, response, { type: `application/x-${SERVICE}-result`, body });
  });
  router.post('/:cid/:repository/git-receive-pack', () => {
    throw refused();
  });
  return router;
}

async function projectAt({ loop }: HttpServices, params: Request['params']): Promise<ProjectId> {
  const { cid, repository = '' } = params;
  if (typeof repository !== 'string' || !/^[a-z0-9][a-z0-9-]*\.git$/.test(repository)) throw unknown();
  const pid = parseProjectId(repository.slice(0, -'.git'.length));
  if ((await loop.project(pid)).cid !== cid) throw unknown();
  return pid;
}

const unknown = () => new DevLoopError('project_not_found', 'There is no project at this address.');
const refused = () => new DevLoopError('forbidden', 'Projects can be cloned and fetched, and not be pushed to.');

function unpacked(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES });
  } catch (error) {
    throw new DevLoopError('bad_request', 'The body cannot be unpacked.', { cause: error });
  }
}
