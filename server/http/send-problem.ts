import type { ErrorRequestHandler } from 'express';
import { DevLoopError } from '../domain/errors.ts';
import { isAborted } from './is-aborted.ts';
import type { HttpSetup } from './options.ts';
import { problemOf } from './problem.ts';

/**
 * The one place where errors become answers. What began to be sent already is broken off. What was given up because the client
 * has gone, or because the server stops, is no failure.
 */
export function sendProblem(setup: HttpSetup, stopping: AbortSignal): ErrorRequestHandler {
  return (thrown: unknown, request, response, _next) => {
    const isGivenUp = isAborted(thrown);
    if (isGivenUp && response.destroyed) return;
    const error = isGivenUp && stopping.aborted ? stops(thrown) : thrown;
    const { problem, headers, unexpected } = problemOf(error, setup.dataFolder);
    const about = { method: request.method, address: request.path, error };
    if (unexpected) setup.log.error('a request failed', about);
    if (response.headersSent) {
      if (!unexpected) setup.log.warn('an answer broke off', about);
      response.destroy();
      return;
    }
    response.removeHeader('etag');
    response.removeHeader('content-disposition');
    response.set(headers).status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}

const stops = (cause: unknown): DevLoopError =>
  new DevLoopError('busy', 'The server stops.', { hint: 'Try again when it runs again.', cause });

/** For an address that nothing is at. */
export function refuseUnknown(): never {
  throw new DevLoopError('not_found', 'There is nothing at this address.', {
    hint: 'openapi.json lists the addresses.',
  });
}
