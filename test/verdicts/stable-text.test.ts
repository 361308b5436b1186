import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { relativePaths, stableText } from '../../server/verdicts/stable-text.ts';

const places = { bases: ['/data/p/units/todo', '/data/p'], temporary: ['/tmp/devloop-run-a1'] };
const stable = (text: string): string => stableText(text, places);

test('paths are told from the unit, then from the project', () => {
  assert.equal(
    stable('at /data/p/units/todo/code/a.mjs and file:///data/p/units/other/b.mjs in /data/p'),
    'at code/a.mjs and units/other/b.mjs in .',
  );
});

test('temporary files are told without their names', () => {
  assert.equal(
    stable("open '/tmp/devloop-run-a1/tmp/x-8f3k/db.json' (file:///tmp/devloop-run-a1/home)"),
    "open '{tmp}' ({tmp})",
  );
});

test('ports, process ids, addresses and measured times are told by fixed names', () => {
  assert.equal(
    stable('connect ECONNREFUSED 127.0.0.1:43211, http://localhost:8080/a, [::1]:99'),
    'connect ECONNREFUSED 127.0.0.1:{port}, http://localhost:{port}/a, [::1]:{port}',
  );
  assert.equal(
    stable('pid 4711, process: 12, <Sum at 0x7f51ea50a890> after 12.345ms'),
    'pid {pid}, process: {pid}, <Sum at {address}> after {time} ms',
  );
});

test('what an assertion is about stays', () => {
  for (const text of [
    'expected 200 to be 201',
    'timed out after 500ms',
    'on 2026-01-01T00:00:00Z',
    'example.com:8080',
    '0xff',
    'at noon (12:30)',
    'version 1.25.3',
  ]) {
    assert.equal(stable(text), text);
  }
});

test('stack lines and colours are left out, other lines are not', () => {
  const text =
    '\x1b[31mbad\x1b[0m\n    at fn (/data/p/a.mjs:1:2)\n    at async Promise.all (index 0)\n    at node:internal/x:3:4\n  at the end';
  assert.equal(stable(text), 'bad\n  at the end');
});

test('no more than 4,000 characters are kept', () => {
  const long = stable('x'.repeat(5_000));
  assert.deepEqual([long.length, long.at(-1)], [4_000, '…']);
});

test('what is stable stays as it is', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(stable(stable(text)), stable(text))));
});

test('an id keeps everything but its folders', () => {
  assert.equal(
    relativePaths('/data/p/units/todo/tests/a.test.mjs > serves 127.0.0.1:80', places),
    'tests/a.test.mjs > serves 127.0.0.1:80',
  );
});
