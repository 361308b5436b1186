import assert from 'node:assert/strict';
import test from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { tag } from '../../server/vault/tag.ts';
import { projectVault } from '../support/project-vault.ts';

test('a tag is annotated, on main or on any revision', async (t) => {
  const { put, commit, write, git } = await projectVault(t);
  const first = git('rev-parse', 'HEAD');
  put('a');
  const { sha } = await commit();
  assert.deepEqual(await write((vault) => tag(vault, { name: 'v2', message: 'second' })), { name: 'v2', sha });
  assert.deepEqual(await write((vault) => tag(vault, { name: 'v1', ref: first.slice(0, 10) })), {
    name: 'v1',
    sha: first,
  });
  assert.equal(git('tag', '-n', '--list'), 'v1              v1\nv2              second');
  assert.equal(git('cat-file', '-t', 'v1'), 'tag');
  assert.deepEqual(await write((vault) => tag(vault, { name: 'v1-too', ref: 'v1' })), { name: 'v1-too', sha: first });
});

test('a tag of the same commit is left as it is, of another it is refused', async (t) => {
  const { put, commit, write, git } = await projectVault(t);
  const first = git('rev-parse', 'HEAD');
  await write((vault) => tag(vault, { name: 'v1' }));
  const object = git('rev-parse', 'v1');
  await write((vault) => tag(vault, { name: 'v1', message: 'again' }));
  put('a');
  await commit();
  await assert.rejects(
    write((vault) => tag(vault, { name: 'v1' })),
    (error) => isDevLoopError(error, 'tag_exists') && error.data.target === first,
  );
  assert.equal(git('rev-parse', 'v1'), object);
});

test('a tag that a person made takes its name as well', async (t) => {
  const { put, commit, write, git } = await projectVault(t);
  git('tag', 'v1');
  put('a');
  const { tag: name } = await commit({ tag: { name: 'v1', message: 'm' } });
  assert.equal(name, 'v1.2');
  await assert.rejects(
    write((vault) => tag(vault, { name: 'v1' })),
    (error) => isDevLoopError(error, 'tag_exists'),
  );
});

test('names that are no tag names, and revisions that are not there, are refused', async (t) => {
  const { write, git } = await projectVault(t);
  for (const name of ['-d', 'HEAD', 'main', 'a b', 'abcdef0', '../x']) {
    await assert.rejects(
      write((vault) => tag(vault, { name })),
      (error) => isDevLoopError(error, 'ref_invalid'),
      name,
    );
  }
  await assert.rejects(
    write((vault) => tag(vault, { name: 'v1', ref: 'absent' })),
    (error) => isDevLoopError(error, 'ref_not_found'),
  );
  assert.equal(git('tag', '--list'), '');
});
