import assert from 'node:assert/strict';
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BytePath, bytePathFromLatin1, bytePathFromText } from '../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { filesBelow, listFolder, readFile, rootOf } from '../../server/vault/read-tree.ts';
import { type VaultUnderTest, vaultUnderTest } from '../support/vault-under-test.ts';

const ROOT = '' as BytePath;

function filled(t: Parameters<typeof vaultUnderTest>[0]): VaultUnderTest {
  const made = vaultUnderTest(t);
  made.commit('a', { 'a.txt': 'hello\n', 'd/run': '#!', 'd/e/\xff\n': 'x', [bytePathFromText('日本')]: 'y' });
  chmodSync(join(made.root, 'd/run'), 0o755);
  symlinkSync('../a.txt', join(made.root, 'd/link'));
  made.commit('b');
  return made;
}

test('a folder lists its entries with kind and size', async (t) => {
  const { vault, oid } = filled(t);
  assert.deepEqual(await listFolder(vault(), 'HEAD', bytePathFromText('d')), [
    { path: 'd/e', kind: 'folder', oid: oid('HEAD:d/e') },
    { path: 'd/link', kind: 'link', oid: oid('HEAD:d/link'), size: 8 },
    { path: 'd/run', kind: 'executable', oid: oid('HEAD:d/run'), size: 2 },
  ]);
  assert.deepEqual(
    (await listFolder(vault(), 'HEAD', ROOT)).map(({ path }) => path),
    ['a.txt', 'd', bytePathFromText('日本')],
  );
});

test('files are read by their bytes, whatever their names are', async (t) => {
  const { vault, oid } = filled(t);
  assert.deepEqual(await readFile(vault(), 'HEAD', bytePathFromText('a.txt')), {
    oid: oid('HEAD:a.txt'),
    content: Buffer.from('hello\n'),
  });
  assert.equal((await readFile(vault(), 'HEAD', bytePathFromLatin1('d/e/\xff\n'))).content.toString(), 'x');
  assert.equal((await readFile(vault(), 'main', bytePathFromText('d/link'))).content.toString(), '../a.txt');
});

test('what is absent or of another kind is not found', async (t) => {
  const { vault } = filled(t);
  const absent = (error: unknown): boolean => isDevLoopError(error, 'not_found');
  for (const path of ['none', 'd', 'a.txt/x', 'd/link/x'])
    await assert.rejects(readFile(vault(), 'HEAD', bytePathFromText(path)), absent, path);
  for (const path of ['none', 'a.txt'])
    await assert.rejects(listFolder(vault(), 'HEAD', bytePathFromText(path)), absent, path);
});

test('all files below a tree come in the order that git lists them in', async (t) => {
  const { vault, git } = filled(t);
  const open = vault();
  const paths: string[] = [];
  for await (const { path } of filesBelow(open, await rootOf(open, 'HEAD'))) paths.push(path);
  const expected = Buffer.from(git('ls-tree', '-r', '-z', '--name-only', 'HEAD'))
    .toString('latin1')
    .split('\0');
  assert.deepEqual(
    paths.map((path) => path.replace('\xff', '')),
    expected.filter((path) => path !== '').map((path) => path.replace('\xef\xbf\xbd', '')),
  );
});
