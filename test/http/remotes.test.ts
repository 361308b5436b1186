import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertProblem, type HttpUnderTest, httpUnderTest } from '../support/http-under-test.ts';

describe('remotes over HTTP', () => {
  let http: HttpUnderTest;
  let at: string;
  before(async () => {
    http = await httpUnderTest();
    at = `/projects/${(await http.api('POST', '/projects', { requirement: 'x' })).body.pid}`;
  });
  after(() => http[Symbol.asyncDispose]());

  it('are added and listed, and no address with a password is taken', async () => {
    const remote = { name: 'mine', url: 'https://forge.example/mine.git' };
    const added = await http.api('POST', `${at}/remotes`, remote);
    assert.deepEqual([added.status, added.body], [201, remote]);
    assert.deepEqual((await http.api('GET', `${at}/remotes`)).body.items.at(-1), remote);
    for (const url of ['/srv/x', 'https://u:s3cret@forge.example/x', 'ext::sh']) {
      const refused = await http.api('POST', `${at}/remotes`, { name: 'x', url });
      assertProblem(refused, 422, 'validation_failed');
      assert.doesNotMatch(refused.text, /s3cret/);
    }
  });

  it('a push goes to main where no branch is named, and hands the token on once', async () => {
    const { body } = await http.api('POST', `${at}/push`, { remote: 'forge', token: 's3cret' });
    assert.deepEqual(body, { pushed: [{ ref: 'refs/heads/main', outcome: 'made' }] });
    assert.deepEqual(http.vault.asked.at(-1), [
      'push',
      { remote: 'forge', branch: 'main', tags: false, token: 's3cret' },
    ]);
    assertProblem(await http.api('POST', `${at}/push`, { remote: 'none' }), 404, 'not_found');
    assertProblem(await http.api('POST', `${at}/push`, { remote: 'forge', token: 'a b' }), 422, 'validation_failed');
  });
});
