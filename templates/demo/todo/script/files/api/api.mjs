import { createServer } from 'node:http';
import { summarize } from '../../summary/code/summary.mjs';

/** An HTTP server over a store; it does not listen yet. */
export function createApi(store) {
  return createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const route = `${request.method} ${url.pathname}`;
    const id = Number(/^\/todos\/(\d+)$/.exec(url.pathname)?.[1]);
    if (route === 'GET /health') return send(response, 200, { ok: true });
    if (route === 'GET /summary') return send(response, 200, summarize(store.list()));
    if (route === 'GET /todos') return list(store, url, response);
    if (route === 'POST /todos') return add(store, await body(request), response);
    if (request.method === 'PATCH' && id) {
      const changed = store.setDone(id, (await body(request)).done === true);
      return changed ? send(response, 200, changed) : send(response, 404, { error: `there is no to-do ${id}` });
    }
    if (request.method === 'DELETE' && id) {
      return store.remove(id) ? send(response, 204) : send(response, 404, { error: `there is no to-do ${id}` });
    }
    return send(response, 404, { error: 'not found' });
  });
}

function list(store, url, response) {
  const wanted = url.searchParams.get('done');
  const items = store.list({ done: wanted === null ? undefined : Boolean(wanted) });
  send(response, 200, { items, count: items.length });
}

function add(store, { title }, response) {
  if (typeof title !== 'string' || title.trim() === '') return send(response, 400, { error: 'a to-do needs a title' });
  send(response, 201, store.add(title));
}

async function body(request) {
  let text = '';
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function send(response, status, value) {
  response.writeHead(status, value === undefined ? {} : { 'content-type': 'application/json' });
  response.end(value === undefined ? undefined : JSON.stringify(value));
}
