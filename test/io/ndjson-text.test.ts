import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ndjsonText } from '../../server/io/ndjson-text.ts';

describe('ndjsonText', () => {
  it('gives each record a line of its own, whatever its texts hold', async () => {
    const records = [{ a: 'one\ntwo' }, { b: '\u2028 "quoted" 中文' }, {}];
    const lines = (await ndjsonText(records)).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      records,
    );
  });
  it('gives nothing for no records', async () => {
    assert.equal(await ndjsonText([]), '');
  });
});
