import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { textDiff } from '../../server/compare/index.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

test('a text difference is what git applies, bytes beyond UTF-8 included', async () => {
  const line = fc.constantFrom('a', 'b', 'c', '', '\xff\xfe', '\\', '+x', '-y', '\r', '@@ -1 +1 @@');
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.boolean())
    .map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''));
  await inTempFolder(async (folder) => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const diff = textDiff({ path: 'f', from: bytes(from), to: bytes(to) });
        if (from === to) return assert.equal(diff.kind, 'same');
        assert.ok(diff.kind === 'text');
        writeFileSync(join(folder, 'f'), bytes(from));
        const run = spawnSync('git', ['apply', '--unidiff-zero', '-'], { cwd: folder, input: diff.patch });
        assert.equal(run.status, 0, `${run.stderr}\n${diff.patch}`);
        assert.equal(readFileSync(join(folder, 'f'), 'latin1'), to);
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });
});

test('lines are counted, and the header names both sides', () => {
  const diff = textDiff({ path: 'src/é.txt', from: bytes('a\nb\n'), to: bytes('a\nc\nd\n') });
  assert.ok(diff.kind === 'text');
  assert.deepEqual([diff.additions, diff.deletions], [2, 1]);
  assert.equal(
    Buffer.from(diff.patch).toString(),
    '--- "a/src/\\303\\251.txt"\n+++ "b/src/\\303\\251.txt"\n@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n',
  );
});

test('a new file and one that is gone have nothing on the other side', () => {
  const [added, deleted] = [textDiff({ path: 'f', to: bytes('a\n') }), textDiff({ path: 'f', from: bytes('a\n') })];
  assert.ok(added.kind === 'text' && deleted.kind === 'text');
  assert.match(Buffer.from(added.patch).toString(), /^--- \/dev\/null\n\+\+\+ b\/f\n/);
  assert.match(Buffer.from(deleted.patch).toString(), /^--- a\/f\n\+\+\+ \/dev\/null\n/);
});

test('what is no text, too large or too different is told by size and hash', () => {
  const binary = textDiff({ path: 'f', from: bytes('\0'), to: bytes('b') });
  assert.ok(binary.kind === 'opaque' && binary.why === 'binary');
  assert.deepEqual(binary.to, { size: 1, sha256: '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d' });
  const large = textDiff({ path: 'f', to: bytes('x'.repeat(11)), limit: 10 });
  assert.ok(large.kind === 'opaque' && large.why === 'too_large' && large.from === undefined);
  const lines = (seed: number): Buffer =>
    bytes(Array.from({ length: 20_000 }, (_, i) => `${(i * seed) % 9973}`).join('\n'));
  const start = performance.now();
  const different = textDiff({ path: 'f', from: lines(7), to: lines(13), timeout_ms: 50 });
  assert.ok(different.kind === 'opaque' && different.why === 'too_different');
  assert.ok(performance.now() - start < 2000);
});
