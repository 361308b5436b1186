import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EXIT, EXIT_OF_CODE } from '../../server/cli/exit-codes.ts';
import { ERROR_CODES } from '../../server/domain/errors.ts';
import { PROBLEM_STATUS } from '../../server/http/problem-table.ts';
import { ROOT } from '../support/running-server.ts';

describe('docs/errors.md', () => {
  const text = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );

  it('lists every code, in the order of the code', () => {
    assert.deepEqual(
      rows.map(([code]) => code),
      ERROR_CODES.map((code) => `\`${code}\``),
    );
  });

  for (const [i, code] of ERROR_CODES.entries()) {
    it(`says of ${code} its HTTP status, exit status, meaning and a way on`, () => {
      const [, status, exit, meaning, way, ...rest] = rows[i] ?? [];
      assert.equal(status, String(PROBLEM_STATUS[code]));
      assert.equal(exit, String(EXIT_OF_CODE[code]));
      for (const sentence of [meaning, way]) assert.match(sentence ?? '', /\w.*[.…]$/);
      assert.deepEqual(rest, []);
    });
  }

  it('names every exit status', () => {
    const listed = [...(/^Exit statuses: (.*)$/m.exec(text)?.[1] ?? '').matchAll(/(\d+) /g)].map(([, n]) => Number(n));
    assert.deepEqual(listed, Object.values(EXIT));
  });
});
