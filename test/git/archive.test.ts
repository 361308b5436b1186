import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { tarOfCommit } from '../../server/git/archive.ts';
import { shadowPlace } from '../support/shadow-place.ts';

test('the tar holds every tracked file, whatever attributes the tree has', async (t) => {
  const { shadow, commit } = shadowPlace(t);
  const head = commit('a', {
    '.gitattributes': '* export-ignore export-subst eol=crlf filter=x ident\n',
    a: '$Format:%H$ $Id$\n',
    'd/b': 'x\n',
  });
  const tar = Buffer.concat(await tarOfCommit(shadow, head).toArray());
  const list = execFileSync('tar', ['-tf', '-'], { input: tar }).toString();
  assert.equal(list, '.gitattributes\na\nd/\nd/b\n');
  assert.equal(execFileSync('tar', ['-xOf', '-', 'a'], { input: tar }).toString(), '$Format:%H$ $Id$\n');
});

test('no compressor that a configuration names is run, and the result is the same each time', async (t) => {
  const { folder, shadow, git, commit } = shadowPlace(t);
  const head = commit('a', { a: 'x' });
  const marker = join(folder, 'ran');
  for (const key of ['tar.tar.command', 'tar.tgz.command', 'tar.zip.command'])
    git('config', key, `touch ${marker}; cat`);
  const [one, two] = [await tarOfCommit(shadow, head).toArray(), await tarOfCommit(shadow, head).toArray()];
  assert.ok(Buffer.concat(one).equals(Buffer.concat(two)));
  assert.ok(!existsSync(marker));
});
