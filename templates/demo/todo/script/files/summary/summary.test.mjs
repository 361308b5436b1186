import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createStore } from '../../store/code/store.mjs';
import { summarize } from '../code/summary.mjs';

describe('summary', () => {
  it('says that there is nothing to do', () => {
    const { total, text } = summarize([]);
    assert.ok(total === 0 && text === 'nothing to do', `said ${text}`);
  });

  it('counts what the store keeps', () => {
    const store = createStore();
    for (const title of ['milk', 'bread', 'rice']) store.add(title);
    store.setDone(1, true);
    const said = summarize(store.list());
    assert.ok(said.total === 3 && said.open === 2 && said.done === 1, `counted ${JSON.stringify(said)}`);
    assert.equal(said.text, '2 open, 1 done', `said ${said.text}`);
  });
});
