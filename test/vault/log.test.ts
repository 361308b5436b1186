import assert from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromLatin1, bytePathFromText } from '../../server/domain/byte-path.ts';
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

test('a text to look for is plain text, whatever signs it has', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  const dots = commit('code(api): retry → green · attempt 2 [.*]');
  const other = commit('code(apiX: other');
  const find = async (grep: string) => (await log(vault(), { grep })).items.map(({ sha }) => sha);
  assert.deepEqual(
    [await find('[.*]'), await find('CODE(API):'), await find('→ green'), await find('--output=/tmp/x')],
    [[dots], [dots], [dots], []],
  );
  assert.deepEqual(await find('code('), [other, dots]);
  assert.deepEqual((await log(vault(), { author: 'nobody' })).items, []);
});

test('a path is a file or a folder, and its name is taken literally', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  const star = commit('star', { 'd/*.txt': 'x' });
  const other = commit('other', { 'd/a.txt': 'x' });
  const magic = commit('magic', { ':(top)x': 'x' });
  const newline = commit('newline', { 'n\nn/f': 'x' });
  const umlaut = commit('umlaut', { [bytePathFromText('ü/日本')]: 'x' });
  const bytes = commit('bytes', { 'b/\xff\xfe[x]?/f': 'x' });
  commit('near', { 'b/\xffz/f': 'x' });
  git('rm', '-q', 'd/a.txt');
  const gone = commit('gone');
  const find = async (path: string) =>
    (await log(vault(), { path: bytePathFromLatin1(path) })).items.map(({ sha }) => sha);
  assert.deepEqual(await find('d/*.txt'), [star]);
  assert.deepEqual(await find('d/a.txt'), [gone, other]);
  assert.deepEqual(await find('d'), [gone, other, star]);
  assert.deepEqual(await find(':(top)x'), [magic]);
  assert.deepEqual(await find('n\nn'), [newline]);
  assert.deepEqual(await find(bytePathFromText('ü')), [umlaut]);
  assert.deepEqual(await find('b/\xff\xfe[x]?'), [bytes]);
  assert.deepEqual(await find('none'), []);
});

test('a merge is listed for a path where it differs from all its parents, as git lists it', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  const first = commit('first', { a: '1', b: '1' });
  git('checkout', '-qb', 'side');
  const side = commit('side', { a: '2' });
  git('checkout', '-q', 'main');
  commit('main', { b: '2' });
  git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
  const { items } = await log(vault(), { path: bytePathFromText('a') });
  assert.deepEqual(
    items.map(({ sha }) => sha),
    [side, first],
  );
  assert.equal(git('rev-list', 'main', '--', 'a'), `${side}\n${first}`);
});

test('a search in a history with a swapped commit is an error, not an empty list', async (t) => {
  const { commit, gitDir, vault } = vaultUnderTest(t);
  const [first, second] = [commit('code(a): first'), commit('code(a): second')];
  const file = (oid: string): string => join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
  rmSync(file(second));
  copyFileSync(file(first), file(second));
  await assert.rejects(log(vault(), { grep: 'second' }), (error) => isDevLoopError(error, 'vault_damaged'));
});

test('a cursor or time that is none is refused', async (t) => {
  const { commit, vault } = vaultUnderTest(t);
  commit('a');
  for (const query of [
    { cursor: 'x' },
    { cursor: Buffer.from('--output=/tmp/x').toString('base64url') },
    { since: 'yesterday; id' },
  ]) {
    await assert.rejects(log(vault(), query), (error) => isDevLoopError(error, 'validation_failed'));
  }
});
