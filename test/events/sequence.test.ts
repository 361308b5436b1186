import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Sequence } from '../../server/events/sequence.ts';
import { inTempFolder } from '../support/temp-folder.ts';

describe('the numbers that a project may have sent', () => {
  it('are reserved on the disk before one is used, many at a time', () =>
    inTempFolder((folder) => {
      const sequence = new Sequence(folder);
      assert.equal(sequence.reserved, 0);
      for (let seq = 1; seq <= 2500; seq++) {
        sequence.reserve(seq);
        assert.ok(sequence.reserved >= seq);
      }
      assert.equal(new Sequence(folder).reserved, sequence.reserved);
      assert.equal(sequence.reserved, 3000);
      assert.deepEqual(readdirSync(folder), ['sequence.json']);
    }));

  it('are not written again for numbers that are reserved already', () =>
    inTempFolder((folder) => {
      const sequence = new Sequence(folder);
      sequence.reserve(1);
      rmSync(join(folder, 'sequence.json'));
      sequence.reserve(1000);
      assert.deepEqual(readdirSync(folder), []);
      sequence.reserve(1001);
      assert.deepEqual(readdirSync(folder), ['sequence.json']);
    }));

  it('are refused where the file is no JSON: what was sent cannot be told then', () =>
    inTempFolder((folder) => {
      writeFileSync(join(folder, 'sequence.json'), '{"reserved":');
      assert.throws(() => new Sequence(folder), SyntaxError);
    }));
});
