import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { createStore } from '../../store/code/store.mjs';
import { createApi } from '../code/api.mjs';

describe('api', () => {
  let store;
  let server;
  let base;
  const forward = new Proxy({}, { get: (_, name) => store[name] });
  before(async () => {
    server = createApi(forward);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${server.address().port}`;
  });
  beforeEach(() => {
    store = createStore();
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const ask = async (method, path, value) => {
    const response = await fetch(base + path, {
      method,
      ...(value === undefined ? {} : { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };

  it('adds a to-do and lists it', async () => {
    const added = await ask('POST', '/todos', { title: 'milk' });
    assert.equal(added.status, 201, `adding was answered with ${added.status}`);
    const { json } = await ask('GET', '/todos');
    assert.ok(json.count === 1 && json.items[0].title === 'milk', `listed ${JSON.stringify(json)}`);
  });

  it('refuses a to-do without a title', async () => {
    for (const value of [{}, { title: ' ' }, { title: 5 }]) {
      const { status } = await ask('POST', '/todos', value);
      assert.equal(status, 400, `${JSON.stringify(value)} was answered with ${status}`);
    }
  });

  it('lists only what is done', async () => {
    store.add('milk');
    store.add('bread');
    await ask('PATCH', '/todos/2', { done: true });
    const { json } = await ask('GET', '/todos?done=true');
    assert.ok(json.count === 1 && json.items[0].title === 'bread', `listed ${JSON.stringify(json)}`);
  });

  it('lists only what is open', async () => {
    store.add('milk');
    store.add('bread');
    await ask('PATCH', '/todos/2', { done: true });
    const { json } = await ask('GET', '/todos?done=false');
    assert.ok(json.count === 1 && json.items[0].title === 'milk', `listed ${JSON.stringify(json)}`);
  });

  it('marks a to-do open again', async () => {
    store.add('milk');
    await ask('PATCH', '/todos/1', { done: true });
    const { json } = await ask('PATCH', '/todos/1', { done: false });
    assert.ok(json.done === false, 'it is still done');
  });

  it('deletes, and answers 404 for what is not there', async () => {
    store.add('milk');
    const first = await ask('DELETE', '/todos/1');
    const again = await ask('DELETE', '/todos/1');
    const marked = await ask('PATCH', '/todos/1', { done: true });
    const said = `${first.status}, ${again.status}, ${marked.status}`;
    assert.equal(said, '204, 404, 404', `answered ${said}`);
  });

  it('sums up', async () => {
    store.add('milk');
    const { json } = await ask('GET', '/summary');
    assert.equal(json.text, '1 open, 0 done', `said ${json.text}`);
  });

  it('tells that it is ready, and that it knows no other path', async () => {
    const said = `${(await ask('GET', '/health')).status}, ${(await ask('GET', '/nothing')).status}`;
    assert.equal(said, '200, 404', `answered ${said}`);
  });
});
