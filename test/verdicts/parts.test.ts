import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ProcessResult } from '../../server/io/process-request.ts';
import { describeEnd } from '../../server/verdicts/describe-end.ts';
import { integrationLog } from '../../server/verdicts/integration-log.ts';
import { collectOutput, readIfFile } from '../../server/verdicts/output.ts';
import { readScripts } from '../../server/verdicts/scripts.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text);

test('output is kept in its order, and each stream by itself', () => {
  const output = collectOutput();
  output.take(bytes('a€').subarray(0, 3), 'stdout');
  output.take(bytes('err\n'), 'stderr');
  output.take(bytes('€\n').subarray(2), 'stdout');
  assert.equal(output.text('stdout'), 'a€\n');
  assert.equal(output.text('stderr'), 'err\n');
  assert.equal(output.bytes().length, 9);
});

test('the tail of the output has its last 8,000 characters without colours', () => {
  const output = collectOutput();
  output.take(bytes(`${'x'.repeat(9_000)}\x1b[31mred\x1b[0m\x1b]8;;http://a\x07link`), 'stdout');
  assert.equal(output.tail().length, 8_000);
  assert.match(output.tail(), /xredlink$/);
});

test('a file is read where it is one, and no link, folder or absent one', (t) => {
  const root = scratchFolder(t);
  writeFileSync(join(root, 'a'), 'text');
  mkdirSync(join(root, 'folder'));
  symlinkSync(join(root, 'a'), join(root, 'link'));
  symlinkSync(root, join(root, 'up'));
  assert.deepEqual(
    ['a', 'link', 'up/a', 'folder', 'none', 'folder/none'].map((path) => readIfFile(root, path)),
    ['text', ...Array(5).fill(undefined)],
  );
});

test("the scripts of a unit's package.json are known where it is whole", (t) => {
  const root = scratchFolder(t);
  const write = (text: string): void => writeFileSync(join(root, 'units/todo/package.json'), text);
  mkdirSync(join(root, 'units/todo'), { recursive: true });
  assert.deepEqual(readScripts(root, 'todo'), {});
  write('{"scripts":{"test":"vitest run"}}');
  assert.deepEqual(readScripts(root, 'todo'), { test: 'vitest run' });
  for (const text of ['{', '[]', '{"scripts":[]}', '{"scripts":{"test":1}}', '{"name":"x"}']) {
    write(text);
    assert.deepEqual(readScripts(root, 'todo'), {}, text);
  }
});

test('how a program ended is told with the error that it printed, or its last words', () => {
  const result: ProcessResult = {
    ended: 'exit',
    exit_code: 1,
    signal: null,
    stdout: '',
    stderr: '',
    output_bytes: 0,
    duration_ms: 0,
    survivors: [],
  };
  const said = (over: Partial<ProcessResult>): string => describeEnd({ ...result, ...over });
  assert.equal(said({}), 'ended with exit status 1');
  assert.equal(said({ stdout: 'one\ntwo\n' }), 'ended with exit status 1: two');
  assert.equal(
    said({ stdout: 'out', stderr: 'x\nTypeError: no y\n    at z\n' }),
    'ended with exit status 1: TypeError: no y',
  );
  assert.equal(
    said({ stderr: 'Error: listen EADDRINUSE\n\nNode.js v24' }),
    'ended with exit status 1: listen EADDRINUSE',
  );
  assert.equal(said({ exit_code: null, signal: 'SIGSEGV' }), 'ended with signal SIGSEGV');
  assert.equal(said({ ended: 'output' }), 'printed more than it may');
  assert.equal(
    said({ ended: 'spawn_failed', spawn_error: 'x could not be started in /: ENOENT' }),
    'could not be started: x could not be started in /: ENOENT',
  );
});

test('lines of different programs are told apart, also where they come in pieces', async (t) => {
  const root = scratchFolder(t);
  const log = integrationLog();
  log.output('api', bytes('one\ntw'));
  log.output('db', bytes('ready €\n').subarray(0, 7));
  log.output('api', bytes('o\nlast'));
  log.output('db', bytes('ready €\n').subarray(7));
  const answer = { kind: 'failed', why: 'connection refused' } as const;
  log.exchange('add', {
    step: 1,
    service: 'api',
    request: { method: 'GET', path: '/', headers: {} },
    answer,
    duration_ms: 3,
  });
  const paths = { process_log: join(root, 'runs/r/process.log'), trace_file: join(root, 'runs/r/trace.gz') };
  await log.write(root, paths);
  assert.equal(readFileSync(paths.process_log, 'utf8'), 'api | one\napi | two\ndb | ready €\napi | last\n');
  assert.deepEqual(JSON.parse(gunzipSync(readFileSync(paths.trace_file)).toString()), {
    case: 'add',
    step: 1,
    service: 'api',
    request: { method: 'GET', path: '/', headers: {} },
    answer,
    duration_ms: 3,
  });
});
