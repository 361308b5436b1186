import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readLines } from '../../../server/agents/process/lines.ts';

function linesOf(chunks: readonly Uint8Array[]): readonly string[] {
  const lines: string[] = [];
  const reader = readLines((line) => lines.push(line));
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return lines;
}

describe('lines of output', () => {
  it('come out whole however the bytes are cut, also within a character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''))),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
          const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          assert.deepEqual(
            linesOf(chunks),
            lines.map((line) => Buffer.from(line).toString()),
          );
        },
      ),
    );
  });

  it('may end with a carriage return, and the last without a newline', () => {
    assert.deepEqual(linesOf([Buffer.from('a\r\nb\n\nc')]), ['a', 'b', '', 'c']);
    assert.deepEqual(linesOf([Buffer.from('a\n')]), ['a']);
    assert.deepEqual(linesOf([]), []);
  });

  it('are cut at 8 million characters, and the next one is whole again', () => {
    const chunk = Buffer.alloc(1_000_000, 'x');
    const lines = linesOf([...Array(12).fill(chunk), Buffer.from('\nnext\n')]);
    assert.deepEqual(
      lines.map(({ length }) => length),
      [8_000_000, 4],
    );
  });
});
