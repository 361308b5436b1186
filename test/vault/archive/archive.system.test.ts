import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import { archiveToFile } from '../../../server/vault/archive/archive-file.ts';
import { vaultUnderTest } from '../../support/vault-under-test.ts';

test('other people’s programs take our zip: names, links, exec bits, small and large content', async (t) => {
  const made = vaultUnderTest(t);
  const large = createHash('shake256', { outputLength: 2_000_000 }).update('seed').digest();
  const names = ['plain', 'with space', '日本.md', 'd/e/f', 'quote"\''];
  made.commit('a', { ...Object.fromEntries(names.map((name) => [bytePathFromText(name), name])), large });
  execFileSync('sh', ['-c', 'chmod +x plain && ln -s plain link'], { cwd: made.root });
  made.commit('b');
  const path = join(made.folder, 'x.zip');
  await archiveToFile(made.vault(), 'HEAD', { format: 'zip', path });
  execFileSync('unzip', ['-tqq', path]);
  execFileSync('python3', ['-c', 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None', path]);
  mkdirSync(join(made.folder, 'out'));
  execFileSync('unzip', ['-q', path, '-d', join(made.folder, 'out')], { env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  execFileSync('diff', ['-r', '--no-dereference', '--exclude=.git', made.root, join(made.folder, 'out')]);
  assert.ok(readFileSync(join(made.folder, 'out/large')).equals(large));
});
