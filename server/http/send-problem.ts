import type { ErrorRequestHandler } from 'express';
import { DevLoopError } from '../domain/errors.ts';
import type { HttpSetup } from './options.ts';
import { problemOf } from './problem.ts';

/** The one place where errors become answers. What began to be sent already is broken off. */
export function sendProblem(setup: HttpSetup): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { problem, headers, unexpected } = problemOf(error, setup.dataFolder);
    if (unexpected) setup.log.error('a request failed', { method: request.method, address: request.path, error });
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.removeHeader('etag');
    response.removeHeader('content-disposition');
    response.set(headers).status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
  };
}

/** For an address that nothing is at. */
export function refuseUnknown(): never {
  throw new DevLoopError('not_found', 'There is nothing at this address.', {
    hint: 'openapi.json lists the addresses.',
  });
}
