import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { type Oid, parseOid } from '../../server/domain/ids.ts';
import { type ObjectReader, openObjectReader, type ReaderOptions } from '../../server/git/object-reader.ts';
import { ensureShadowDir } from '../../server/git/shadow-dir.ts';
import { rawGit, rawRepository } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

interface Place {
  readonly root: string;
  readonly reader: ObjectReader;
  /** Writes a blob by git itself. */
  readonly blob: (content: string | Uint8Array) => Oid;
  readonly file: (oid: Oid) => string;
  /** Ids of the processes that read this repository. */
  readonly processes: () => readonly number[];
}

function place(t: TestContext, options: ReaderOptions = {}): Place {
  const folder = scratchFolder(t);
  const root = join(folder, 'project');
  rawRepository(root);
  const shadow = ensureShadowDir({ gitDir: join(root, '.git'), stateDir: join(folder, 'state') });
  const reader = openObjectReader(shadow, options);
  t.after(() => reader.close());
  return {
    root,
    reader,
    blob: (content) => parseOid(rawGit(root, content)('hash-object', '-w', '--stdin')),
    file: (oid) => join(root, '.git/objects', oid.slice(0, 2), oid.slice(2)),
    processes: () => readersOf(shadow),
  };
}

test('objects of every kind come back with kind and content', async (t) => {
  const { root, reader, blob } = place(t);
  const oid = blob('hello\n');
  assert.deepEqual(await reader.read(oid), { kind: 'blob', content: Buffer.from('hello\n') });
  writeFileSync(join(root, 'a'), 'a');
  const git = rawGit(root);
  git('add', '.');
  git('commit', '-qm', 'x');
  git('tag', '-am', 'y', 'v');
  for (const [kind, rev] of [
    ['commit', 'HEAD'],
    ['tree', 'HEAD^{tree}'],
    ['tag', 'v'],
  ] as const) {
    const object = parseOid(git('rev-parse', rev));
    assert.equal((await reader.read(object)).kind, kind);
    assert.deepEqual(await reader.stat(object), { kind, size: (await reader.read(object)).content.length });
  }
});

test('thousands of requests at once are answered in order by one process', async (t) => {
  const { root, reader, processes } = place(t);
  const contents = Array.from(
    { length: 2000 },
    (_, i) => `${'\n'.repeat(i % 7)}object ${i} ${'x'.repeat((i * 37) % 5000)}`,
  );
  contents.forEach((content, i) => {
    writeFileSync(join(root, `f${i}`), content);
  });
  const git = rawGit(root);
  git('add', '.');
  const oids = git('ls-files', '-s')
    .split('\n')
    .map((line) => line.split(/[ \t]/));
  const read = await Promise.all(
    oids.map(async ([, oid, , name]) => [name, (await reader.read(parseOid(oid))).content.toString()]),
  );
  for (const [name, content] of read) assert.equal(content, contents[Number(name?.slice(1))]);
  assert.equal(processes().length, 1);
});

test('an empty blob, one of zeros and newlines only and one of many megabytes are told apart', async (t) => {
  const { reader, blob } = place(t);
  const contents = [Buffer.alloc(0), Buffer.alloc(3), Buffer.from('\n\n\n'), Buffer.alloc(5_000_000, 'ab\n')];
  const oids = contents.map((content) => blob(content));
  const read = await Promise.all(oids.map((oid) => reader.read(oid)));
  assert.deepEqual(
    read.map(({ content }) =>
      content.compare(contents[read.findIndex((r) => r.content === content)] ?? Buffer.alloc(1)),
    ),
    [0, 0, 0, 0],
  );
});

test('an absent object is undefined to stat and an error with a code to read', async (t) => {
  const { reader, blob } = place(t);
  const absent = parseOid('1'.repeat(40));
  const there = blob('x');
  const [stat, read, other] = await Promise.allSettled([reader.stat(absent), reader.read(absent), reader.read(there)]);
  assert.deepEqual(stat, { status: 'fulfilled', value: undefined });
  assert.ok(read.status === 'rejected' && isDevLoopError(read.reason, 'object_missing'));
  assert.equal(other.status, 'fulfilled');
});

test('an object that was written meanwhile is found', async (t) => {
  const { root, reader, blob } = place(t);
  await reader.read(blob('first'));
  const oid = blob('second');
  assert.equal((await reader.read(oid)).content.toString(), 'second');
  writeFileSync(join(root, 'packed'), 'packed');
  const git = rawGit(root);
  git('add', '.');
  git('commit', '-qm', 'x');
  git('repack', '-adq');
  assert.equal((await reader.read(parseOid(git('rev-parse', 'HEAD:packed')))).content.toString(), 'packed');
});

test('an object with the content of another one is reported as damage, be it read or streamed', async (t) => {
  const { reader, blob, file } = place(t, { idle_ms: 2000 });
  const [good, bad] = [blob('good'), blob('evil')];
  swap(file(good), file(bad));
  await assert.rejects(reader.read(good), damaged);
  const [large, other] = [blob(Buffer.alloc(3_000_000, 'a')), blob(Buffer.alloc(3_000_000, 'b'))];
  swap(file(large), file(other));
  const stream = await reader.stream(large);
  await assert.rejects(stream.toArray(), damaged);
});

test('a large blob streams whole and true', async (t) => {
  const { reader, blob } = place(t);
  const content = Buffer.alloc(3_000_000, 'abc');
  const chunks = await (await reader.stream(blob(content))).toArray();
  assert.ok(Buffer.concat(chunks).equals(content));
  const small = await (await reader.stream(blob('small'))).toArray();
  assert.equal(Buffer.concat(small).toString(), 'small');
});

test('a damaged object fails alone: what else was asked for still comes', async (t) => {
  const { reader, blob, file } = place(t);
  const bad = blob(Buffer.alloc(100_000, 'abcdefg'));
  chmodSync(file(bad), 0o644);
  writeFileSync(file(bad), execFileSync('head', ['-c', '60', file(bad)]));
  const good = [blob('a'), blob('b'), blob('c')];
  const asked = good.flatMap((oid) => [reader.read(oid), reader.read(bad)]);
  const results = await Promise.allSettled(asked);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  for (const result of results)
    if (result.status === 'rejected')
      assert.ok(isDevLoopError(result.reason, 'vault_damaged', 'object_missing'), String(result.reason));
});

test('a FIFO in place of an object is an error in time, and others are still read', async (t) => {
  const { reader, blob, file } = place(t, { idle_ms: 300 });
  const [bad, good] = [blob('bad'), blob('good')];
  rmSync(file(bad));
  execFileSync('mkfifo', [file(bad)]);
  const [hung, read] = await Promise.allSettled([reader.read(bad), reader.read(good)]);
  assert.ok(hung.status === 'rejected' && isDevLoopError(hung.reason, 'vault_tampered'));
  assert.ok(read.status === 'fulfilled' && read.value.content.toString() === 'good');
});

test('content over the limit is not taken into memory and the next request is unharmed', async (t) => {
  const { reader, blob } = place(t);
  const [large, small] = [blob(Buffer.alloc(2_000_000)), blob('small')];
  const [refused, read] = await Promise.allSettled([reader.read(large, 1000), reader.read(small)]);
  assert.ok(refused.status === 'rejected' && isDevLoopError(refused.reason, 'body_too_large'));
  assert.equal(read.status, 'fulfilled');
});

test('a reader whose process was killed starts another one', async (t) => {
  const { reader, blob, processes } = place(t);
  const oid = blob('x');
  await reader.read(oid);
  const [first] = processes();
  assert.ok(first !== undefined);
  process.kill(first, 'SIGKILL');
  assert.equal((await reader.read(oid)).content.toString(), 'x');
});

test('a reader that nobody asks gives its process up, and reads again later', async (t) => {
  const { reader, blob, processes } = place(t, { rest_ms: 20 });
  const oid = blob('x');
  await reader.read(oid);
  assert.equal(processes().length, 1);
  while (processes().length > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal((await reader.read(oid)).content.toString(), 'x');
});

test('closing fails what still waits, and what is asked later is answered', async (t) => {
  const { reader, blob } = place(t);
  const oid = blob('x');
  const waiting = [reader.read(oid), reader.read(oid)];
  reader.close();
  for (const result of await Promise.allSettled(waiting)) assert.equal(result.status, 'rejected');
  assert.equal((await reader.read(oid)).content.toString(), 'x');
});

test('sixty readers in use one after the other hold no more than 24 processes', async (t) => {
  const shared = place(t);
  const oid = shared.blob('x');
  const shadow = join(shared.root, '../state/git');
  const readers = Array.from({ length: 60 }, () => openObjectReader(shadow));
  t.after(() => {
    for (const reader of readers) reader.close();
  });
  for (const reader of readers) await reader.read(oid);
  while (shared.processes().length > 24) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.ok(shared.processes().length > 0);
});

const damaged = (error: unknown): boolean => isDevLoopError(error, 'vault_damaged');

function swap(target: string, source: string): void {
  rmSync(target, { force: true });
  copyFileSync(source, target);
}

/** Processes whose working folder is the shadow git dir. */
function readersOf(shadow: string): readonly number[] {
  const found = execFileSync('sh', [
    '-c',
    'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$1" ] && basename $p; done; true',
    'sh',
    shadow,
  ]);
  return found
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map(Number);
}
