import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { diff, show } from '../../server/vault/show.ts';
import { vaultUnderTest } from '../support/vault-under-test.ts';

test('a commit shows what it changed against its first parent, the first one everything', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  const first = commit('first', { a: '1\n', b: '2\n' });
  const second = commit('second', { a: '1\n2\n' });
  const shown = await show(vault(), second);
  assert.deepEqual(
    [shown.commit.subject, shown.files],
    ['second', [{ path: 'a', change: 'modified', additions: 1, deletions: 0 }]],
  );
  assert.deepEqual(
    (await show(vault(), first)).files.map(({ path }) => path),
    ['a', 'b'],
  );
  git('checkout', '-qb', 'side', first);
  commit('side', { c: '3\n' });
  git('checkout', '-q', 'main');
  git('merge', '-q', '--no-ff', '-m', 'merge', 'side');
  assert.deepEqual(
    (await show(vault(), 'HEAD')).files.map(({ path }) => path),
    ['c'],
  );
});

test('two revisions differ by files and by a patch, whole or for one path', async (t) => {
  const { commit, git, vault } = vaultUnderTest(t);
  commit('first', { a: '1\n', b: '1\n' });
  git('tag', 'one');
  commit('second', { a: '2\n', b: '2\n' });
  const whole = await diff(vault(), { from: 'one', to: 'HEAD' });
  assert.equal(whole.files.length, 2);
  const one = await diff(vault(), { from: 'HEAD', to: 'one', path: bytePathFromText('b') });
  assert.deepEqual(one.files, [{ path: 'b', change: 'modified', additions: 1, deletions: 1 }]);
  assert.match(one.patch.toString(), /^diff --git a\/b b\/b\n[\s\S]*-2\n\+1\n$/);
});
