import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { createCounter } from '../../counter/code/counter.mjs';
import { createService } from '../code/service.mjs';

const server = createService(createCounter());
before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
after(() => {
  server.closeAllConnections();
  server.close();
});

const ask = async (method, path) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method });
  return `${response.status} ${await response.text()}`;
};

it('counts over HTTP', async () => {
  const seen = [await ask('POST', '/up'), await ask('POST', '/up'), await ask('POST', '/down'), await ask('GET', '/counter')];
  assert.equal(seen.at(-1), '200 {"value":1}', `answered ${seen.join(', ')}`);
});

it('starts over', async () => {
  const seen = await ask('POST', '/reset');
  assert.equal(seen, '200 {"value":0}', `answered ${seen}`);
});

it('knows no other path', async () => {
  const seen = await ask('GET', '/up');
  assert.equal(seen, '404 {"error":"not found"}', `answered ${seen}`);
});
