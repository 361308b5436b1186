import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textDiffApart } from '../../server/compare/text-diff-apart.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { inTempFolder } from '../support/temp-folder.ts';

/** A text of so many lines that are in no order. */
const mixed = (seed: number, lines = 200_000): Buffer =>
  Buffer.from(Array.from({ length: lines }, (_, i) => `${(i * seed) % 99_991}`).join('\n'));

test('a small text and a large one come to the same difference', async () => {
  for (const size of [100, 40_000]) {
    const lines = Array.from({ length: size }, (_, i) => `line ${i}`);
    const sides = [lines, lines.with(50, 'another')].map((all) => Buffer.from(`${all.join('\n')}\n`));
    const diff = await textDiffApart({ path: 'f', from: sides[0], to: sides[1] });
    assert.ok(diff.kind === 'text');
    assert.match(Buffer.from(diff.patch).toString(), /@@ -48,7 \+48,7 @@\n[^@]*\n-line 50\n\+another\n/);
  }
});

test('who compares large texts that differ everywhere is not held up', async () => {
  await inTempFolder(async (folder) => {
    const comparer = plainComparer(folder);
    const [old, now] = [mixed(7), mixed(13)];
    let turns = 0;
    const clock = setInterval(() => turns++, 1);
    const compare = () =>
      comparer.compare({ path: 'f', before: async () => old, after: async () => now, text_ms: 1_000 });
    const found = await Promise.all([compare(), compare(), compare(), compare()]);
    clearInterval(clock);
    for (const { comparison } of found) assert.ok(comparison.kind === 'binary' && comparison.why === 'too_different');
    // Each of them takes a second, in which nothing else would have its turn.
    assert.ok(turns > 50, `${turns} turns`);
  });
});

test('one that is given up is ended', async () => {
  const signal = AbortSignal.timeout(20);
  const diff = textDiffApart({ path: 'f', from: mixed(7), to: mixed(13), timeout_ms: 60_000 }, signal);
  await assert.rejects(diff, { name: 'TimeoutError' });
});

test('a large text that is new or gone is not searched for what it shares with nothing', async () => {
  const text = mixed(7);
  for (const sides of [{ to: text }, { from: text }, { from: Buffer.alloc(0), to: text }]) {
    const diff = await textDiffApart({ path: 'f', ...sides, timeout_ms: 0 });
    assert.ok(diff.kind === 'text', JSON.stringify(sides).slice(0, 20));
    assert.equal(diff.additions + diff.deletions, 200_000);
  }
});
