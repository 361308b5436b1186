import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bytePathFromLatin1, bytePathFromText } from '../../server/domain/byte-path.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest } from '../support/http-under-test.ts';

describe('changes over HTTP', () => {
  let http: HttpUnderTest;
  let at: string;
  before(async () => {
    http = await httpUnderTest();
    at = `/projects/${(await http.api('POST', '/projects', { requirement: 'x' })).body.pid}`;
  });
  after(() => http[Symbol.asyncDispose]());

  it('a tag is made once', async () => {
    const made = await http.api('POST', `${at}/tags`, { name: 'demo', message: 'for the demo' });
    assert.equal(made.status, 201);
    assert.equal(made.body.name, 'demo');
    assert.deepEqual(http.vault.asked.at(-1), ['tag', { name: 'demo', ref: 'HEAD', message: 'for the demo' }]);
    assertProblem(await http.api('POST', `${at}/tags`, { name: 'prd-rev-1' }), 409, 'tag_exists');
    assertProblem(await http.api('POST', `${at}/tags`, { name: '-d' }), 422, 'ref_invalid');
  });

  it('a reset names the rescue that keeps what it overwrote', async () => {
    const done = await http.api('POST', `${at}/reset`, { ref: 'prd-rev-1' });
    assert.deepEqual(done.body, { rescue: 'r3', left: [] });
    assert.deepEqual(http.vault.asked.at(-1), ['reset', { ref: 'prd-rev-1', reason: 'reset' }]);
    assert.deepEqual((await http.api('POST', `${at}/rescues/r3/restore`)).status, 404);
    http.vault.left.push({ path: bytePathFromText('pipe'), reason: 'it is a pipe' });
    assert.deepEqual((await http.api('POST', `${at}/rescues/r1/restore`)).body, {
      rescue: 'r3',
      left: [{ path: 'pipe', reason: 'it is a pipe' }],
    });
  });

  it('with If-Match a change is made only to the state that was seen', async () => {
    const { headers } = await http.api('GET', `${at}/status`);
    const seen = { 'if-match': headers.etag ?? '' };
    assert.equal((await http.api('POST', `${at}/reset`, {}, seen)).status, 200);
    http.vault.snapshot = 's-2';
    for (const verb of ['reset', 'rescues/r1/restore']) {
      assertProblem(await http.api('POST', `${at}/${verb}`, {}, seen), 412, 'precondition_failed');
    }
    assertProblem(await http.api('POST', `${at}/revert`, { rev: 'main' }, seen), 412, 'precondition_failed');
    assert.equal((await http.api('POST', `${at}/reset`, {}, { 'if-match': '*' })).status, 200);
  });

  it('a revert answers with the new commit, says what is reverted already, and lists the files of a conflict', async () => {
    const done = await http.api('POST', `${at}/revert`, { rev: 'main' });
    assert.equal(done.body.kind, 'reverted');
    http.vault.revertOutcome = { kind: 'already_reverted' };
    assert.deepEqual((await http.api('POST', `${at}/revert`, { rev: 'main' })).body, { kind: 'already_reverted' });
    http.vault.revertOutcome = { kind: 'conflict', files: [bytePathFromLatin1('a\xff')] };
    const conflict = await http.api('POST', `${at}/revert`, { rev: 'main' });
    assertProblem(conflict, 409, 'conflict');
    assert.deepEqual(conflict.body.files, [{ path: 'a\ufffd', path_b64: 'Yf8=' }]);
  });

  it('a bisect takes a unit or a case, not both', async () => {
    const found = await http.api('POST', `${at}/bisect`, { good: 'prd-rev-1', bad: 'main', check: { unit: 'store' } });
    assert.equal(found.body.first_bad.subject, 'commit 10');
    assert.equal((await http.api('POST', `${at}/bisect`, { good: 'main', check: { case: 'adds' } })).status, 200);
    const both = await http.api('POST', `${at}/bisect`, { good: 'main', check: { case: 'adds', unit: 'store' } });
    assertProblem(both, 422, 'validation_failed');
  });

  it('maintenance says whether it packed, and what is not listed any more', async () => {
    assert.deepEqual((await http.api('POST', `${at}/maintain`)).body, { packed: true, expired: [] });
    http.vault.expired.push('rescue/r1', 'attempts/store/1/1');
    assert.deepEqual((await http.api('POST', `${at}/maintain`)).body.expired, ['rescue/r1', 'attempts/store/1/1']);
    assertProblem(await http.api('POST', '/projects/p-99999999/maintain'), 404, 'project_not_found');
  });

  it('files are not changed under a project that runs', async () => {
    await http.api('POST', `${at}/run`);
    for (const [verb, body] of [
      ['reset', {}],
      ['revert', { rev: 'main' }],
      ['rescues/r1/restore', {}],
      ['maintain', undefined],
    ] as const) {
      assertProblem(await http.api('POST', `${at}/${verb}`, body), 409, 'already_running');
    }
  });
});
