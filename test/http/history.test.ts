import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest } from '../support/http-under-test.ts';

describe('history over HTTP', () => {
  let http: HttpUnderTest;
  let at: string;
  before(async () => {
    http = await httpUnderTest();
    at = `/projects/${(await http.api('POST', '/projects', { requirement: 'x' })).body.pid}`;
  });
  after(() => http[Symbol.asyncDispose]());

  it("the cursor of a page of commits is the vault's, and its link goes on with the same filters", async () => {
    const page = await http.api('GET', `${at}/commits?limit=4&author=coder&since=2026-01-01`);
    assert.equal(page.body.items.length, 4);
    assert.equal(page.body.next, '4');
    assert.match(String(page.headers.link), /author=coder&since=2026-01-01&cursor=4>; rel="next"$/);
    assert.deepEqual(http.vault.asked.at(-1), ['log', { limit: 4, author: 'coder', since: '2026-01-01' }]);
    const commit = page.body.items[0];
    assert.deepEqual(Object.keys(commit).sort(), ['author', 'parents', 'refs', 'sha', 'subject', 'trailers', 'ts']);
  });

  it('a commit is shown by any kind of revision name', async () => {
    const sha = '000000000000000000000000000000000000000a';
    for (const rev of [sha, 'HEAD', 'main'])
      assert.equal((await http.api('GET', `${at}/commits/${rev}`)).body.sha, sha);
    const tagged = await http.api('GET', `${at}/commits/prd-rev-1`);
    assert.equal(tagged.body.subject, 'commit 2');
    assert.deepEqual(tagged.body.files, [{ path: 'prd/prd.md', change: 'added', additions: 1, deletions: 0 }]);
    assertProblem(await http.api('GET', `${at}/commits/attempts%2Fstore%2F1%2F1`), 404, 'ref_not_found');
    assert.deepEqual(http.vault.asked.at(-1), ['show', 'attempts/store/1/1']);
  });

  it('tags, attempts and rescues come newest first', async () => {
    const names = async (path: string, name: string) =>
      (await http.api('GET', at + path)).body.items.map((item: Record<string, unknown>) => item[name]);
    assert.deepEqual(await names('/tags', 'name'), ['sdd-rev-1', 'prd-rev-1']);
    assert.deepEqual(await names('/units/store/attempts', 'attempt'), [2, 1]);
    assert.deepEqual(await names('/rescues', 'id'), ['r2', 'r1']);
  });

  it('a name that is not UTF-8 is shown readable with its bytes, and its bytes name it in a query', async () => {
    const tree = await http.api('GET', `${at}/tree?ref=HEAD`);
    const odd = tree.body.items.find((entry: { path_b64?: string }) => entry.path_b64 !== undefined);
    assert.equal(odd.path, 'units/\ufffd\ufffd.bin');
    const file = await http.api('GET', `${at}/file?path_b64=${encodeURIComponent(odd.path_b64)}`);
    assert.equal(file.status, 200);
    assert.deepEqual(http.vault.asked.at(-1), [
      'readFile',
      { rev: 'HEAD', path: bytePathFromLatin1('units/\xff\xfe.bin') },
    ]);
  });

  it('a file of text is sent as plain text, anything else as bytes, and neither can act as a page', async () => {
    const page = await http.api('GET', `${at}/file?path=sdd/index.html`);
    assert.equal(page.headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(page.headers['x-content-type-options'], 'nosniff');
    assert.match(String(page.headers['content-security-policy']), /sandbox/);
    const text = await http.api('GET', `${at}/file?path=prd/prd.md`);
    assert.equal(text.text, '# 待办事项\n');
    const again = await http.api('GET', `${at}/file?path=prd/prd.md`, undefined, {
      'if-none-match': text.headers.etag ?? '',
    });
    assert.equal(again.status, 304);
    assertProblem(await http.api('GET', `${at}/file?path=none.txt`), 404, 'not_found');
    assertProblem(await http.api('GET', `${at}/file`), 422, 'path_refused');
  });

  it('a diff is JSON or text/x-diff, as the client accepts', async () => {
    const json = await http.api('GET', `${at}/diff?from=prd-rev-1&to=main`);
    assert.equal(json.body.files[0].additions, 1);
    assert.match(json.body.patch, /^diff --git a\/prd/);
    const text = await http.api('GET', `${at}/diff?from=prd-rev-1`, undefined, { accept: 'text/x-diff' });
    assert.equal(text.headers['content-type'], 'text/x-diff; charset=utf-8');
    assert.equal(text.text, json.body.patch);
    assertProblem(await http.api('GET', `${at}/diff?to=main`), 422, 'validation_failed');
  });

  it('a trace says which lines each agent added, page by page', async () => {
    const page = await http.api('GET', `${at}/trace?limit=4`);
    assert.equal(page.body.items.length, 4);
    assert.equal(page.body.items[0].vcs.revision, '000000000000000000000000000000000000000a');
    assert.equal(page.body.items[0].files[0].path, 'prd/prd.md');
    const rest = await http.api('GET', `${at}/trace?cursor=${page.body.next}`);
    assert.equal(rest.body.items.length, 5, 'the first commit has no parent, and no agent made it');
    assertProblem(await http.api('GET', `${at}/trace?format=other`), 422, 'validation_failed');
  });

  it('the status carries the state it shows as ETag', async () => {
    const { body, headers } = await http.api('GET', `${at}/status`);
    assert.equal(body.dirty, true);
    assert.equal(headers.etag, `"${body.snapshot}"`);
  });

  it('the timeline goes up by seq, and its link goes on after the last line', async () => {
    const pid = at.split('/').at(-1) ?? '';
    for (let i = 0; i < 5; i++) http.feed.publish(pid, 'unit_status', { i });
    const first = await http.api('GET', `${at}/timeline?limit=3`);
    assert.deepEqual(
      first.body.items.map((line: { seq: number }) => line.seq),
      [1, 2, 3],
    );
    assert.match(String(first.headers.link), /after=3>; rel="next"$/);
    const rest = await http.api('GET', `${at}/timeline?limit=3&after=3`);
    assert.deepEqual(
      rest.body.items.map((line: { seq: number }) => line.seq),
      [4, 5],
    );
    assert.equal(rest.headers.link, undefined);
  });
});
