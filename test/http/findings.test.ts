import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DevLoopError } from '../../server/domain/errors.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest } from '../support/http-under-test.ts';

describe('findings over HTTP', () => {
  let http: HttpUnderTest;
  let at: string;
  before(async () => {
    http = await httpUnderTest();
    at = `/projects/${(await http.api('POST', '/projects', { requirement: 'x' })).body.pid}`;
  });
  after(() => http[Symbol.asyncDispose]());

  it('are listed with the bytes of names that are no UTF-8, and with what was not looked at', async () => {
    const { body } = await http.api('GET', `${at}/findings`);
    const [finding] = body.items;
    assert.deepEqual(
      { ...finding, blob: 0, commit: 0 },
      {
        blob: 0,
        commit: 0,
        rule: 'github',
        line: 3,
        open: true,
        path: 'units/\ufffd/config.js',
        path_b64: btoa('units/\xff/config.js'),
      },
    );
    assert.deepEqual(
      body.not_scanned.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
      [['film.mp4', 'too_large']],
    );
  });

  it('are allowed one by one, by content and rule', async () => {
    const { blob, rule } = http.vault.finding;
    const { body } = await http.api('POST', `${at}/findings/allow`, { blob, rule });
    assert.equal(body.open, false);
    assert.deepEqual(http.vault.asked.at(-1), ['allow', { blob, rule }]);
    assertProblem(await http.api('POST', `${at}/findings/allow`, { blob: '0'.repeat(40), rule }), 404, 'not_found');
    for (const bad of [{}, { blob }, { blob: 'HEAD', rule }, { blob, rule: '../x' }, { blob, rule, all: true }]) {
      assertProblem(await http.api('POST', `${at}/findings/allow`, bad), 422, 'validation_failed');
    }
  });

  it('that are open have a download answer with their list and no bytes', async () => {
    http.vault.archiveStream = () => {
      throw new DevLoopError('findings_open', 'project p holds what looks like secrets: a.txt:1 (github)', {
        data: { findings: [{ path: 'a.txt', line: 1, rule: 'github', blob: 'b' }], total: 1 },
      });
    };
    const refused = await http.api('GET', `${at}/archive`);
    assertProblem(refused, 409, 'findings_open');
    assert.deepEqual([refused.body.findings[0].path, refused.body.total], ['a.txt', 1]);
  });
});
