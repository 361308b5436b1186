import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withCost } from '../../server/domain/price.ts';

const PRICE = { input: 3, output: 15 };

describe('the cost of a call', () => {
  it('is what its agent told, whatever the price', () => {
    assert.deepEqual(withCost({ input_tokens: 10, output_tokens: 5, cost: 2 }, PRICE).cost, 2);
  });

  it('is reckoned by the price of a million tokens where the agent told only tokens', () => {
    assert.deepEqual(withCost({ input_tokens: 1_000_000, output_tokens: 100_000 }, PRICE).cost, 4.5);
  });

  it('is unknown without a price, or without both figures', () => {
    for (const usage of [{ input_tokens: 10 }, { output_tokens: 5 }, {}]) {
      assert.deepEqual(withCost(usage, PRICE), usage);
    }
    assert.deepEqual(withCost({ input_tokens: 10, output_tokens: 5 }, undefined), {
      input_tokens: 10,
      output_tokens: 5,
    });
  });
});
