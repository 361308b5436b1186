import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../support/running-server.ts';

/** Says whether descriptor 3 is the same open file after a thread has come and gone. */
const SCRIPT = `
import { fstatSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
const before = fstatSync(3).ino;
const worker = new Worker('', { eval: true });
await once(worker, 'exit');
let after;
try { after = fstatSync(3).ino; } catch (error) { after = error.code; }
process.stdout.write(before === after ? 'the same' : 'not the same: ' + after);
`;

test('a thread that ends leaves the descriptor by which its process dies with its parent', () => {
  const guard = pathToFileURL(join(ROOT, 'scripts/die-with-parent.mjs')).href;
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', guard, '--input-type=module', '--eval', SCRIPT], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  assert.equal(stdout, 'the same', stderr);
});
