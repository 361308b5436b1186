import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { ROOT } from '../support/running-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** A checkout whose dependencies cannot be installed: by this npm, or by one beside Node itself, which comes first. */
function brokenCheckout(t: TestContext) {
  const checkout = scratchFolder(t);
  cpSync(join(ROOT, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) writeFileSync(join(checkout, name), 'no JSON\n');
  const bin = join(checkout, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho "npm error code E503" >&2\nexit 7\n');
  chmodSync(join(bin, 'npm'), 0o755);
  return (script: string, ...args: string[]) =>
    spawnSync(process.execPath, [join(checkout, 'scripts', script), ...args], {
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: dirname(checkout) },
      encoding: 'utf8',
    });
}

test('where npm fails it is said in a sentence, with what to do next, each time', (t) => {
  const run = brokenCheckout(t);
  for (const [script, word] of [
    ['bootstrap.mjs', 'list'],
    ['task.mjs', 'check'],
    ['bootstrap.mjs', 'list'],
  ] as const) {
    const { status, stdout, stderr } = run(script, word);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /npm error[\s\S]*\ndevloop: npm ci failed \(status \d+\); .*registry.*run the command again/);
    assert.doesNotMatch(stderr, /\n\s+at |toolchain\.mjs:\d/);
  }
});
