import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { parseOid } from '../../../server/domain/ids.ts';
import { readGit } from '../../../server/git/stream.ts';
import { archivedFiles } from '../../../server/vault/archive/archived-files.ts';
import { type VaultUnderTest, vaultUnderTest } from '../../support/vault-under-test.ts';

/** Commits a tree that git itself would not make. */
async function craft(made: VaultUnderTest, entries: readonly string[]): Promise<string> {
  const content = Buffer.concat(
    entries.map((entry) => Buffer.concat([Buffer.from(`${entry}\0`), Buffer.from(oidFor(made, entry), 'hex')])),
  );
  const args = ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'];
  const tree = parseOid((await readGit(made.shadow, args, { stdin: content })).toString().trim());
  return made.git('commit-tree', '-m', 'x', tree);
}

const oidFor = ({ oid }: VaultUnderTest, entry: string): string =>
  entry.startsWith('40000') ? oid('HEAD:d') : entry.startsWith('160000') ? oid('HEAD') : oid('HEAD:f');

test('files and links are listed in git’s order with the commit’s tree and time; commits of other repositories are not', async (t) => {
  const made = vaultUnderTest(t);
  made.commit('a', { f: '1', 'd/e': '2' });
  const commit = await craft(made, ['120000 a', '40000 d', '100755 run', '160000 sub']);
  const { tree, time, files } = await archivedFiles(made.vault(), commit);
  assert.equal(tree, made.git('rev-parse', `${commit}^{tree}`));
  assert.equal(time.toISOString(), '2026-01-02T03:04:05.000Z');
  assert.deepEqual(
    files.map(({ path, kind }) => [path, kind]),
    [
      ['a', 'link'],
      ['d/e', 'file'],
      ['run', 'executable'],
    ],
  );
});

test('a tree with a dangerous name, or one name twice, is refused', async (t) => {
  const made = vaultUnderTest(t);
  made.commit('a', { f: '1', 'd/e': '2' });
  for (const entries of [
    ['100644 ..'],
    ['40000 .'],
    ['40000 .git'],
    ['100644 .Git'],
    ['100644 git~1'],
    ['120000 d', '40000 d'],
    ['100644 a/b'],
  ]) {
    const commit = await craft(made, entries);
    await assert.rejects(
      archivedFiles(made.vault(), commit),
      (error) => isDevLoopError(error, 'vault_damaged', 'path_refused'),
      entries.join(),
    );
  }
});
