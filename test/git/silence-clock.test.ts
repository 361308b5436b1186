import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DevLoopError } from '../../server/domain/errors.ts';
import { SilenceClock } from '../../server/git/silence-clock.ts';
import { findSpecialFile } from '../../server/git/special-files.ts';
import { shadowPlace } from '../support/shadow-place.ts';

function clockOf(t: TestContext, shadow: string, idle_ms: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ends: DevLoopError[] = [];
  const clock = new SilenceClock(shadow, { idle_ms, onGiveUp: (error) => ends.push(error) });
  return { clock, ends, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test('a process that is silent is given up on once, after its time', (t) => {
  const { clock, ends, pass } = clockOf(t, shadowPlace(t).shadow, 10_000);
  clock.start();
  pass(9_999);
  assert.deepEqual(ends, []);
  pass(1);
  pass(60_000);
  assert.deepEqual(
    ends.map(({ code }) => code),
    ['timeout'],
  );
});

test('a sign of life begins the time anew, and a stop ends it', (t) => {
  const { clock, ends, pass } = clockOf(t, shadowPlace(t).shadow, 5_000);
  clock.start();
  for (let i = 0; i < 10; i++) {
    pass(4_000);
    clock.refresh();
  }
  clock.stop();
  clock.refresh();
  pass(60_000);
  assert.deepEqual(ends, []);
});

test('a pipe among the objects or refs is named after a second', (t) => {
  const { shadow, gitDir } = shadowPlace(t);
  mkdirSync(join(gitDir, 'objects/ab'), { recursive: true });
  for (const path of [`objects/ab/${'c'.repeat(38)}`, 'objects/pack/x.idx', 'refs/heads/deep', 'packed-refs']) {
    execFileSync('mkfifo', [join(gitDir, path)]);
    assert.equal(findSpecialFile(shadow), path);
    const { clock, ends, pass } = clockOf(t, shadow, 60_000);
    clock.start();
    pass(1_000);
    assert.deepEqual(
      ends.map(({ code, data }) => [code, data.file]),
      [['vault_tampered', path]],
    );
    t.mock.timers.reset();
    rmSync(join(gitDir, path));
  }
});

test('links, to themselves as well, and missing folders are no special files', (t) => {
  const { shadow, gitDir } = shadowPlace(t);
  symlinkSync('self', join(gitDir, 'objects/self'));
  symlinkSync('/', join(gitDir, 'refs/root'));
  assert.equal(findSpecialFile(shadow), undefined);
  rmSync(gitDir, { recursive: true });
  assert.equal(findSpecialFile(shadow), undefined);
});
