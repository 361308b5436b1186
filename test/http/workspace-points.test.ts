import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { assertProblem } from '../support/http-under-test.ts';
import { type WorkspacesUnderTest, workspacesUnderTest } from '../support/workspaces-under-test.ts';

const b64 = (bytes: string): string => encodeURIComponent(Buffer.from(bytes, 'latin1').toString('base64'));

describe('points over HTTP', () => {
  let lab: WorkspacesUnderTest;
  let first: string;
  before(async () => {
    lab = await workspacesUnderTest();
    lab.put('a.txt', 'one\ntwo\n');
    lab.put('src/b.html', '<script>alert(1)</script>');
    lab.put('blob.bin', '\0\x01');
    lab.put('moves.txt', 'the same\n'.repeat(20));
    lab.put('large.bin', 'x'.repeat(150_000));
    writeFileSync(Buffer.from(`${lab.root}/na\xffme`, 'latin1'), 'bytes');
    symlinkSync('/etc/passwd', join(lab.root, 'link'));
    execFileSync('git', ['init', '-q', join(lab.root, 'sub')]);
    const body = { reason: 'the first', actor: 'ann', task_id: 'T-1', run_id: 'r1', name: 'start', pin: true };
    first = (await lab.at(201, 'POST /checkpoints', body)).body.id;
  });
  after(() => lab[Symbol.asyncDispose]());
  const raw = (path: string, headers = {}) =>
    lab.http.send('GET', `/api/workspaces/${lab.ws}/checkpoints/${path}`, { headers });

  it('a point is told with what it holds, what was left out, and the repositories in it', async () => {
    const { body } = await lab.at(200, `GET /checkpoints/${first}`);
    assert.deepEqual(
      [
        body.phase,
        body.reason,
        body.actor,
        body.task_id,
        body.run_id,
        body.name,
        body.pinned,
        body.noop,
        body.complete,
      ],
      ['MANUAL', 'the first', 'ann', 'T-1', 'r1', 'start', true, false, true],
    );
    assert.deepEqual([body.counts.files, body.counts.links], [6, 1]);
    assert.deepEqual(
      [body.nested[0].path, body.nested[0].kind, body.nested[0].git_history_saved],
      ['sub', 'repo', false],
    );
    assert.match(body.commit, /^[0-9a-f]{40}$/);
  });

  it('points are listed newest first, by page and by phase, and an equal one says so', async () => {
    const same = (await lab.at(201, 'POST /checkpoints', { reason: 'nothing new' })).body;
    assert.equal(same.noop, true);
    const page = (await lab.at(200, 'GET /checkpoints?limit=1&phase=MANUAL')).body;
    assert.equal(page.items[0].id, same.id);
    const rest = await lab.at(200, `GET /checkpoints?limit=1&phase=MANUAL&cursor=${page.next}`);
    assert.deepEqual([rest.body.items[0].id, rest.body.next], [first, undefined]);
    assert.deepEqual((await lab.at(200, 'GET /checkpoints?phase=PRE_TURN')).body.items, []);
  });

  it('an Idempotency-Key takes one point for two requests', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const one = await lab.at(201, 'POST /checkpoints', { reason: 'once' }, headers);
    const two = await lab.at(201, 'POST /checkpoints', { reason: 'once' }, headers);
    assert.deepEqual(two.body, one.body);
  });

  it('changes go from the older to the newer, whichever is asked for', async () => {
    appendFileSync(join(lab.root, 'a.txt'), 'three\n');
    lab.put('new.txt', 'new\n');
    rmSync(join(lab.root, 'blob.bin'));
    renameSync(join(lab.root, 'moves.txt'), join(lab.root, 'moved.txt'));
    rmSync(join(lab.root, 'link'));
    symlinkSync('elsewhere', join(lab.root, 'link'));
    const second = (await lab.at(201, 'POST /checkpoints', { reason: 'the second' })).body.id;
    const expected = [
      { path: 'a.txt', change: 'modified' },
      { path: 'blob.bin', change: 'deleted' },
      { path: 'link', change: 'modified' },
      { path: 'moved.txt', change: 'renamed', renamed_from: { path: 'moves.txt' } },
      { path: 'new.txt', change: 'added' },
    ];
    for (const [id, against] of [
      [first, second],
      [second, first],
      [first, 'now'],
    ]) {
      const { body } = await lab.at(200, `GET /checkpoints/${id}/changes?against=${against}`);
      assert.deepEqual(body, { from: first, to: against === 'now' ? 'now' : second, items: expected });
    }
    assert.deepEqual((await lab.at(200, `GET /checkpoints/${second}/changes`)).body.items, []);
  });

  it('differences are unified text or JSON by Accept, of one path or all, links by their text', async () => {
    const text = await raw(`${first}/diff?path=a.txt`, { accept: 'text/x-diff' });
    assert.equal(text.headers['content-type'], 'text/x-diff; charset=utf-8');
    assert.match(text.text, /^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,2 \+1,3 @@\n one\n two\n\+three\n/);
    const { body } = await raw(`${first}/diff`, { accept: 'application/json' });
    assert.deepEqual([body.from, body.to], [first, 'now']);
    assert.deepEqual(
      body.files.map((file: Record<string, unknown>) => [file.path, file.additions, file.deletions, file.opaque]),
      [
        ['a.txt', 1, 0, undefined],
        ['blob.bin', undefined, undefined, 'binary'],
        ['link', 1, 1, undefined],
        ['moved.txt', 0, 0, undefined],
        ['new.txt', 1, 0, undefined],
      ],
    );
    assert.match(body.patch, /-\/etc\/passwd\n[\s\S]*\+elsewhere/);
    assert.match(body.patch, /^renamed moved\.txt$/m);
    assert.match(body.patch, /^deleted blob\.bin: binary, 2 bytes before, 0 after$/m);
  });

  it('a file too large to compare is named, and nothing else is held up', async () => {
    writeFileSync(join(lab.root, 'large.bin'), 'y'.repeat(3 << 20));
    const { body } = await raw(`${first}/diff?path=large.bin`, { accept: 'application/json' });
    const [{ comparison, ...file }] = body.files;
    assert.deepEqual(file, { path: 'large.bin', change: 'modified', opaque: 'too_large' });
    assert.deepEqual([comparison.why, comparison.contents.after.size], ['too_large', 3 << 20]);
  });

  it('a file of a point comes byte for byte, as text or bytes, never as a page', async () => {
    const html = await raw(`${first}/file?path=src/b.html`);
    assert.deepEqual(
      [html.text, html.headers['content-type'], html.headers['content-security-policy']],
      ['<script>alert(1)</script>', 'text/plain; charset=utf-8', "default-src 'none'; sandbox; frame-ancestors 'none'"],
    );
    assert.equal((await raw(`${first}/file?path=blob.bin`)).headers['content-type'], 'application/octet-stream');
    assert.equal((await raw(`${first}/file?path=large.bin`)).text, 'x'.repeat(150_000));
    assert.equal(
      (await raw(`${first}/file?path=link`)).text,
      '/etc/passwd',
      'the text of the link, not what it leads to',
    );
    assert.equal((await raw(`${first}/file?path_b64=${b64('na\xffme')}`)).text, 'bytes');
  });

  it('paths that lead out, or to what the point does not hold, are refused', async () => {
    for (const path of ['../a.txt', '/etc/passwd', 'src/../a.txt', 'src//b', './a.txt', 'a.txt/', 'a%00b', '']) {
      assertProblem(await raw(`${first}/file?path=${path}`), 422, 'path_refused');
      if (path !== '') assertProblem(await raw(`${first}/diff?path=${path}`), 422, 'path_refused');
    }
    assertProblem(await raw(`${first}/file?path_b64=${b64('../a.txt')}`), 422, 'path_refused');
    assertProblem(await raw(`${first}/file?path_b64=${b64('a\0')}`), 422, 'path_refused');
    assertProblem(await raw(`${first}/file?path_b64=***`), 422, 'validation_failed');
    for (const path of ['none', 'src', 'link/x', 'sub/.git/HEAD', '.git/config']) {
      assertProblem(await raw(`${first}/file?path=${path}`), 404, 'not_found');
    }
    assertProblem(await raw(`${first}/changes?against=yesterday`), 422, 'validation_failed');
  });

  it('a file that is read as it is now is not followed where somebody put a link in its place', async () => {
    rmSync(join(lab.root, 'a.txt'));
    symlinkSync('/etc/passwd', join(lab.root, 'a.txt'));
    const { body } = await raw(`${first}/diff?path=a.txt`, { accept: 'application/json' });
    assert.deepEqual([body.files[0].change, body.files[0].deletions], ['type', 2]);
    assert.doesNotMatch(body.patch, /root:/);
  });
});
