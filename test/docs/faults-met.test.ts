import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../support/running-server.ts';

describe('docs/faults-met.md', () => {
  const rows = readFileSync(join(ROOT, 'docs/faults-met.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| met at'));

  it('has rows', () => assert.ok(rows.length >= 30));

  for (const row of rows) {
    const [, file = '', name = ''] = /\| (test\/\S+): “(.*)” \|$/.exec(row) ?? [];
    it(`names a test that there is: ${name}`, () => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      assert.ok(text.includes(`'${name}'`) || text.includes(`${name}\``) || text.includes(`"${name}"`), row);
    });
  }
});
