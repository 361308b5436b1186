import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { readGit, readGitEnd, streamGit } from '../../server/git/stream.ts';
import { type ShadowPlace, shadowPlace } from '../support/shadow-place.ts';

const LARGE = Buffer.alloc(8_000_000, 'line of text\n');

test('what git reads from its input and what it prints are bytes', async (t) => {
  const { shadow } = shadowPlace(t);
  const oid = (await readGit(shadow, ['hash-object', '-w', '--stdin'], { stdin: Buffer.from([0, 255, 10]) }))
    .toString()
    .trim();
  assert.deepEqual([...(await readGit(shadow, ['cat-file', 'blob', oid]))], [0, 255, 10]);
});

test('a failure is an error with git’s own words, and a status that is expected is not', async (t) => {
  const { shadow } = shadowPlace(t);
  await assert.rejects(
    readGit(shadow, ['rev-parse', '--verify', 'none']),
    (error) => isDevLoopError(error, 'git_failed') && /Needed a single revision/.test(String(error.data.stderr)),
  );
  const { exit, output } = await readGitEnd(shadow, ['rev-parse', '--verify', '--quiet', 'none'], { okExits: [1] });
  assert.deepEqual([exit, output.length], [1, 0]);
});

test('a reader that stops half-way ends the process', async (t) => {
  const place = shadowPlace(t);
  const stream = streamGit(place.shadow, ['cat-file', 'blob', largeBlob(place)]);
  for await (const chunk of stream) {
    assert.ok(chunk.length > 0);
    break;
  }
  await noProcessLeft(place);
});

test('a slow reader is waited for longer than git may be silent', async (t) => {
  const place = shadowPlace(t);
  const stream = streamGit(place.shadow, ['cat-file', 'blob', largeBlob(place)], { limits: { idle_ms: 1_500 } });
  let bytes = 0;
  for await (const chunk of stream) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2_500));
    bytes += chunk.length;
  }
  assert.equal(bytes, LARGE.length);
});

test('a git that is held up by a pipe is ended within seconds, and the pipe is named', async (t) => {
  const place = shadowPlace(t);
  const head = place.commit('a');
  const file = join(place.gitDir, 'objects', head.slice(0, 2), head.slice(2));
  rmSync(file);
  execFileSync('mkfifo', [file]);
  await assert.rejects(
    readGit(place.shadow, ['rev-list', head]),
    (error) => isDevLoopError(error, 'vault_tampered') && String(error.data.file).startsWith('objects/'),
  );
  await noProcessLeft(place);
});

test('a git that is silent for too long is ended', async (t) => {
  const place = shadowPlace(t);
  const stream = streamGit(place.shadow, ['cat-file', 'blob', largeBlob(place)], { limits: { idle_ms: 100 } });
  const { pid } = await processOf(place);
  process.kill(pid, 'SIGSTOP');
  await assert.rejects(stream.toArray(), (error) => isDevLoopError(error, 'timeout'));
  process.kill(pid, 'SIGCONT');
  await noProcessLeft(place);
});

test('output over the limit is an error and ends the process', async (t) => {
  const place = shadowPlace(t);
  const read = readGit(place.shadow, ['cat-file', 'blob', largeBlob(place)], { limits: { output_bytes: 100_000 } });
  await assert.rejects(read, (error) => isDevLoopError(error, 'body_too_large'));
  await noProcessLeft(place);
});

test('an abort ends the process and the stream', async (t) => {
  const place = shadowPlace(t);
  const stop = new AbortController();
  const stream = streamGit(place.shadow, ['cat-file', 'blob', largeBlob(place)], { signal: stop.signal });
  stream.once('data', () => stop.abort());
  await assert.rejects(stream.toArray(), (error) => isDevLoopError(error, 'git_failed') && error.data.aborted === true);
  await noProcessLeft(place);
});

test('new objects can go to a folder apart, with the repository’s own in reach', async (t) => {
  const place = shadowPlace(t);
  const head = place.commit('a', { a: '1' });
  const apart = join(place.folder, 'apart');
  execFileSync('mkdir', [apart]);
  const oid = (
    await readGit(place.shadow, ['commit-tree', `${head}^{tree}`], {
      newObjects: apart,
      stdin: 'x',
      config: ['user.name=a', 'user.email=a'],
    })
  )
    .toString()
    .trim();
  assert.throws(() => place.git('cat-file', '-t', oid));
  assert.match((await readGit(place.shadow, ['cat-file', 'commit', oid], { newObjects: apart })).toString(), /^tree /);
});

function largeBlob({ shadow }: ShadowPlace): string {
  return execFileSync('git', ['--git-dir', shadow, 'hash-object', '-w', '--stdin'], { input: LARGE }).toString().trim();
}

async function processOf({ shadow }: ShadowPlace): Promise<{ readonly pid: number }> {
  const script = 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$1" ] && basename $p; done; true';
  for (;;) {
    const pid = Number(execFileSync('sh', ['-c', script, 'sh', shadow]).toString().split('\n')[0]);
    if (pid > 0) return { pid };
  }
}

async function noProcessLeft({ shadow }: ShadowPlace): Promise<void> {
  const script = 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$1" ] && exit 1; done; true';
  for (;;) {
    try {
      execFileSync('sh', ['-c', script, 'sh', shadow]);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
