import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { log } from '../../server/vault/log.ts';
import { vaultUnderTest } from '../support/vault-under-test.ts';

test('commits come newest first with all that a reader wants to know', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  const first = commit('init: project x');
  const second = commit('code(api): retry → green · attempt 2\n\nDevLoop-Call: c7\nDevLoop-Unit: api');
  git('tag', '-am', 'shipped', 'shipped-v1-1');
  git('tag', 'light', first);
  git('update-ref', 'refs/devloop/rescue/x', first);
  const { items, next } = await log(vault(), {});
  const author = { name: 'A Person', email: 'person@example.org' };
  assert.deepEqual(items, [
    {
      sha: second,
      parents: [first],
      subject: 'code(api): retry → green · attempt 2',
      author,
      ts: '2026-01-02T03:04:05Z',
      trailers: { 'DevLoop-Call': 'c7', 'DevLoop-Unit': 'api' },
      refs: ['main', 'shipped-v1-1'],
    },
    {
      sha: first,
      parents: [],
      subject: 'init: project x',
      author,
      ts: '2026-01-02T03:04:05Z',
      trailers: {},
      refs: ['light'],
    },
  ]);
  assert.equal(next, undefined);
});

test('pages give each commit once, also where commits are added between them', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  const made = Array.from({ length: 7 }, (_, i) => commit(`c${i}`));
  const seen: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await log(vault(), { limit: 3, ...(cursor && { cursor }) });
    seen.push(...page.items.map(({ sha }) => sha));
    commit('meanwhile');
    cursor = page.next;
    if (cursor === undefined) break;
  }
  assert.deepEqual(seen, made.reverse());
});

test('filters go together, and pages of a filtered list too', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  commit('code(a): x', { 'a/f': '1' });
  commit('code(b): x', { 'b/f': '1' });
  const wanted = commit('code(a): y', { 'a/f': '2' });
  const path = bytePathFromText('a');
  const first = await log(vault(), { path, grep: 'CODE', author: 'person', since: '2026-01-01', limit: 1 });
  assert.deepEqual(
    first.items.map(({ sha }) => sha),
    [wanted],
  );
  const second = await log(vault(), { path, grep: 'CODE', limit: 1, cursor: first.next ?? '' });
  assert.deepEqual([second.items.map(({ subject }) => subject), second.next], [['code(a): x'], undefined]);
  assert.deepEqual((await log(vault(), { since: '2026-02-01' })).items, []);
});

test('a cursor or time that is none is refused', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  commit('a');
  for (const query of [
    { cursor: 'x' },
    { cursor: Buffer.from('--output=/tmp/x').toString('base64url') },
    { since: 'yesterday; id' },
  ]) {
    await assert.rejects(log(vault(), query), (error) => isDevLoopError(error, 'bad_request'));
  }
});
