import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createCounter } from '../code/counter.mjs';

it('counts up and down from zero', () => {
  const counter = createCounter();
  const seen = [counter.value(), counter.up(), counter.up(), counter.down()].join(', ');
  assert.equal(seen, '0, 1, 2, 1', `counted ${seen}`);
});

it('never goes below zero', () => {
  const counter = createCounter();
  const seen = [counter.down(), counter.down(), counter.up()].join(', ');
  assert.equal(seen, '0, 0, 1', `counted ${seen}`);
});

it('can be set back', () => {
  const counter = createCounter();
  counter.up();
  const seen = [counter.reset(), counter.value()].join(', ');
  assert.equal(seen, '0, 0', `counted ${seen}`);
});
