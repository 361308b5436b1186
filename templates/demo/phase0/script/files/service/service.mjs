import { createServer } from 'node:http';

const ROUTES = { 'GET /counter': 'value', 'POST /up': 'up', 'POST /down': 'down', 'POST /reset': 'reset' };

/** An HTTP server over a counter; it does not listen yet. */
export function createService(counter) {
  return createServer((request, response) => {
    const verb = ROUTES[`${request.method} ${request.url}`];
    response.writeHead(verb ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(verb ? { value: counter[verb]() } : { error: 'not found' }));
  });
}
