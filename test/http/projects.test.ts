import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { assertProblem, type HttpUnderTest, httpUnderTest } from '../support/http-under-test.ts';

describe('projects over HTTP', () => {
  let http: HttpUnderTest;
  before(async () => {
    http = await httpUnderTest();
  });
  after(() => http[Symbol.asyncDispose]());

  it('creating answers 201 with pid, cid, status and head', async () => {
    const created = await http.api('POST', '/projects', { requirement: 'A to-do list', name: 'todo' });
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(Object.keys(created.body).sort(), ['cid', 'head', 'pid', 'status']);
    const shown = await http.api('GET', `/projects/${created.body.pid}`);
    assert.equal(shown.body.name, 'todo');
    assert.equal(shown.body.settings.attempts, 3);
  });

  it('each page goes on where the one before ended, newest first, also while projects are added', async () => {
    for (let i = 0; i < 9; i++) await http.api('POST', '/projects', { requirement: `number ${i}`, company: 'acme' });
    const seen: string[] = [];
    let path: string | undefined = '/projects?limit=4&company=acme';
    while (path !== undefined) {
      const page = await http.api('GET', path);
      seen.push(...page.body.items.map((item: { requirement: string }) => item.requirement));
      const link = /^<\/api\/devloop(.+)>; rel="next"$/.exec(page.headers.link as string)?.[1];
      assert.equal(link === undefined, page.body.next === undefined);
      path = link;
      await http.api('POST', '/projects', { requirement: 'added meanwhile', company: 'acme' });
    }
    assert.deepEqual(
      seen,
      [8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `number ${i}`),
    );
  });

  it('a list keeps to company and status', async () => {
    const none = await http.api('GET', '/projects?status=shipped');
    assert.deepEqual(none.body, { items: [] });
    assertProblem(await http.api('GET', '/projects?status=odd'), 422, 'validation_failed');
  });

  it('each request to the loop answers 202 with the project as it is then', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const steps: readonly [string, unknown, string, string][] = [
      ['run', undefined, 'running', 'run'],
      ['pause', {}, 'paused', 'pause'],
      ['resume', undefined, 'running', 'run'],
      ['approve', { gate: 'prd', note: 'good' }, 'running', 'approve prd good'],
      ['reject', { gate: 'sdd' }, 'running', 'reject sdd undefined'],
      ['feedback', { text: 'more' }, 'running', 'feedback more'],
      ['cancel', undefined, 'cancelled', 'cancel'],
      ['sign-off', { user_id: 'ann' }, 'shipped-final', 'sign-off ann'],
      ['abandon', { reason: 'no use' }, 'abandoned', 'abandon no use'],
    ];
    for (const [verb, body, status, asked] of steps) {
      const answer = await http.api('POST', `/projects/${pid}/${verb}`, body);
      assert.equal(answer.status, 202, answer.text);
      assert.equal(answer.body.status, status);
      assert.equal(http.loop.asked.at(-1), asked);
    }
  });

  it('an answer at a gate is for the revision that was read: for another one nothing is answered', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const { revisions } = (await http.api('GET', `/projects/${pid}`)).body;
    const before = http.loop.asked.length;
    for (const verb of ['approve', 'reject']) {
      const late = { gate: 'prd', note: 'no', revision: revisions.prd + 1 };
      assertProblem(await http.api('POST', `/projects/${pid}/${verb}`, late), 409, 'plan_stale');
    }
    assert.equal(http.loop.asked.length, before);
  });

  it('a second run is refused while the first goes on', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    await http.api('POST', `/projects/${pid}/run`, { units: ['store'] });
    assert.equal(http.loop.asked.at(-1), 'run store');
    assertProblem(await http.api('POST', `/projects/${pid}/run`), 409, 'already_running');
  });

  it('deleting answers 204, and then there is no such project', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const gone = await http.api('DELETE', `/projects/${pid}`);
    assert.equal(gone.status, 204);
    assert.equal(gone.text, '');
    assertProblem(await http.api('GET', `/projects/${pid}`), 404, 'project_not_found');
  });

  it('runs come in pages, newest first, each with its result', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const first = await http.api('GET', `/projects/${pid}/runs?limit=5`);
    const second = await http.api('GET', `/projects/${pid}/runs?limit=5&cursor=${first.body.next}`);
    const runs = [...first.body.items, ...second.body.items].map(({ run }) => run);
    assert.deepEqual(runs, ['r-6', 'r-5', 'r-4', 'r-3', 'r-2', 'r-1', 'r-0']);
    assert.equal(second.body.next, undefined);
    const result = await http.api('GET', `/projects/${pid}/runs/r-6`);
    assert.deepEqual(result.body.result, { schema: 1, outcome: 'green' });
    assertProblem(await http.api('GET', `/projects/${pid}/runs/r-9`), 404, 'run_not_found');
  });

  it('a recovery is listed until it is answered for the state that was shown', async () => {
    const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
    const options = ['commit_as_wip', 'reset_hard', 'manual_inspect'] as const;
    const files = [{ path: 'a.txt', change: 'modified' }];
    http.loop.pendingRecoveries.push({ pid, snapshot: 's-9', files, options, inspecting: false });
    assert.equal((await http.api('GET', '/recovery')).body.items[0].snapshot, 's-9');
    assertProblem(await http.api('POST', `/projects/${pid}/run`), 409, 'recovery_pending');
    const stale = await http.api('POST', `/projects/${pid}/recovery`, { action: 'reset_hard', snapshot: 's-8' });
    assertProblem(stale, 409, 'plan_stale');
    const done = await http.api('POST', `/projects/${pid}/recovery`, { action: 'reset_hard', snapshot: 's-9' });
    assert.deepEqual(done.body, { rescue: '20260101-reset' });
    assert.deepEqual((await http.api('GET', '/recovery')).body, { items: [] });
  });
});
