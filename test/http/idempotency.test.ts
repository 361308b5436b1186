import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertProblem, httpUnderTest } from '../support/http-under-test.ts';

const body = { requirement: 'x' };
const keyed = (key: string) => ({ 'idempotency-key': key });

describe('Idempotency-Key', () => {
  it('the same key and body give the first answer again, and nothing is done twice', async () => {
    await using http = await httpUnderTest();
    const first = await http.api('POST', '/projects', body, keyed('k1'));
    const again = await http.api('POST', '/projects', body, keyed('k1'));
    assert.equal(again.status, 201);
    assert.deepEqual(again.body, first.body);
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assert.equal(http.loop.projects.size, 1);
    await http.api('POST', '/projects', body, keyed('k2'));
    assert.equal(http.loop.projects.size, 2);
  });

  it('the same key with another body is refused', async () => {
    await using http = await httpUnderTest();
    await http.api('POST', '/projects', body, keyed('k1'));
    assertProblem(await http.api('POST', '/projects', { requirement: 'y' }, keyed('k1')), 422, 'validation_failed');
    assert.equal(http.loop.projects.size, 1);
  });

  it('the same key at another address is another request', async () => {
    await using http = await httpUnderTest();
    const { pid } = (await http.api('POST', '/projects', body, keyed('k1'))).body;
    assert.equal((await http.api('POST', `/projects/${pid}/run`, {}, keyed('k1'))).status, 202);
  });

  it('while the first goes on, a second one is told to wait', async () => {
    await using http = await httpUnderTest();
    let go = () => {};
    const create = http.loop.create.bind(http.loop);
    const begun = new Promise<void>((resolve) => {
      http.loop.create = async (input) => {
        resolve();
        await new Promise<void>((release) => {
          go = release;
        });
        return create(input);
      };
    });
    const first = http.api('POST', '/projects', body, keyed('k1'));
    await begun;
    assertProblem(await http.api('POST', '/projects', body, keyed('k1')), 409, 'conflict');
    go();
    assert.equal((await first).status, 201);
    assert.equal(http.loop.projects.size, 1);
  });

  it('a failure is forgotten, so that it can be tried again', async () => {
    await using http = await httpUnderTest();
    const create = http.loop.create.bind(http.loop);
    http.loop.create = async () => {
      throw new Error('disk');
    };
    assertProblem(await http.api('POST', '/projects', body, keyed('k1')), 500, 'internal');
    http.loop.create = create;
    assert.equal((await http.api('POST', '/projects', body, keyed('k1'))).status, 201);
  });

  it('a key is forgotten after a day', async () => {
    let time = 0;
    await using http = await httpUnderTest({ now: () => time });
    await http.api('POST', '/projects', body, keyed('k1'));
    time = 24 * 3_600_000 + 1;
    await http.api('POST', '/projects', body, keyed('k1'));
    assert.equal(http.loop.projects.size, 2);
  });

  it('a key that is none is refused', async () => {
    await using http = await httpUnderTest();
    for (const key of ['', 'a b', 'x'.repeat(256)]) {
      assertProblem(await http.api('POST', '/projects', body, keyed(key)), 400, 'bad_request');
    }
  });
});
