import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStore } from '../code/store.mjs';

const titles = (items) => items.map((item) => item.title).join(', ');

describe('store', () => {
  it('adds open to-dos and keeps their order', () => {
    const store = createStore();
    const milk = store.add('  milk ');
    store.add('bread');
    assert.ok(milk.id === 1 && milk.title === 'milk' && milk.done === false, `added ${JSON.stringify(milk)}`);
    assert.equal(titles(store.list()), 'milk, bread', `listed ${titles(store.list())}`);
  });

  it('refuses a title that is empty or missing', () => {
    const store = createStore();
    for (const title of ['', '   ', undefined]) {
      assert.throws(() => store.add(title), TypeError, `${JSON.stringify(title)} was taken for a title`);
    }
    assert.equal(store.list().length, 0, 'something was added');
  });

  it('never gives an id twice, also after a removal', () => {
    const store = createStore();
    const milk = store.add('milk');
    const bread = store.add('bread');
    store.remove(milk.id);
    const rice = store.add('rice');
    assert.ok(rice.id !== bread.id, `"rice" got the id ${rice.id}, which is the id of "bread"`);
  });

  it('marks a to-do done and open again, and lists each kind', () => {
    const store = createStore();
    const milk = store.add('milk');
    store.add('bread');
    store.setDone(milk.id, true);
    assert.equal(titles(store.list({ done: true })), 'milk', 'done');
    assert.equal(titles(store.list({ done: false })), 'bread', 'open');
    store.setDone(milk.id, false);
    assert.equal(titles(store.list({ done: false })), 'milk, bread', 'all open again');
  });

  it('says what it does not know', () => {
    const store = createStore();
    assert.ok(store.setDone(7, true) === undefined, 'marked a to-do that does not exist');
    assert.ok(store.remove(7) === false, 'removed a to-do that does not exist');
  });

  it('hands out copies', () => {
    const store = createStore();
    store.add('milk').title = 'changed';
    assert.equal(titles(store.list()), 'milk', 'the caller changed the store');
  });
});
