import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseUnitId, ZERO_OID } from '../../server/domain/ids.ts';
import { expireKept } from '../../server/vault/expire-kept.ts';
import { maintain } from '../../server/vault/maintain.ts';
import { moveRefs } from '../../server/vault/move-refs.ts';
import type { LockedVault } from '../../server/vault/open-vault.ts';
import { resetWorkingTree } from '../../server/vault/reset-working-tree.ts';
import { saveAttempt } from '../../server/vault/save-attempt.ts';
import { verify } from '../../server/vault/verify.ts';
import { commitSpec, type ProjectVault, projectVault } from '../support/project-vault.ts';

const DAY = 24 * 60 * 60 * 1000;
/** The fixture's clock says it when it starts. */
const NOW = Date.parse('2026-01-02T03:04:05Z');
const later = (days: number) => new Date(NOW + days * DAY);

/** Does work as if it were some days later. */
const in_ = (days: number, vault: LockedVault): LockedVault =>
  Object.assign(Object.create(vault) as LockedVault, { settings: { ...vault.settings, now: () => later(days) } });

const expire = (project: ProjectVault, days: number, ended = later(0)) =>
  project.write((vault) => expireKept(in_(days, vault), ended));

async function withKept(project: ProjectVault): Promise<{ readonly rescue: string; readonly attempt: string }> {
  project.put('units/a/code/x', 'attempt\n');
  const about = { ...commitSpec({ files: ['units/a/**'] }), unit: parseUnitId('a'), round: 1, attempt: 1 };
  const { sha } = await project.write((vault) => saveAttempt(vault, { ...about, verdict: 'red' }));
  await project.write((vault) => resetWorkingTree(vault, { ref: 'HEAD', reason: 'reset' }));
  const rescue = project.git('for-each-ref', '--format=%(objectname)', 'refs/devloop/rescue');
  return { rescue, attempt: sha };
}

const kept = ({ git }: ProjectVault) =>
  git('for-each-ref', '--format=%(refname)', 'refs/devloop').split('\n').filter(Boolean).length;

test('rescues and attempts are listed for thirty days after the project has ended, and their content stays', async (t) => {
  const project = await projectVault(t);
  const { rescue, attempt } = await withKept(project);
  project.put('b');
  await project.commit({ subject: 'work' });
  const head = project.git('rev-parse', 'HEAD');
  assert.deepEqual(await expire(project, 29.9), []);
  assert.equal(kept(project), 2);
  const gone = await expire(project, 31);
  assert.match(gone.toSorted().join(' '), /^attempts\/a\/1\/1 rescue\/20260102T0304\d+Z-reset$/);
  assert.deepEqual([kept(project), project.git('rev-parse', 'HEAD')], [0, head]);
  assert.deepEqual(await expire(project, 31), []);
  await project.exclusive(maintain);
  for (const sha of [rescue, attempt]) assert.equal(project.git('show', `${sha}:units/a/code/x`), 'attempt');
  project.reopen();
  assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
});

test('what is younger than the end of its project is kept as long, and so it is with a clock that went back', async (t) => {
  const project = await projectVault(t);
  await withKept(project);
  assert.deepEqual(await expire(project, 20, later(-20)), []);
  assert.deepEqual(await expire(project, -400), []);
  assert.deepEqual(await expire(project, 31, later(5)), []);
  assert.deepEqual(await expire(project, 31, new Date(Number.NaN)), []);
  assert.equal(kept(project), 2);
});

test('tags, main and what a person made are never let go of', async (t) => {
  const project = await projectVault(t);
  await withKept(project);
  project.put('b');
  await project.commit({ tag: { name: 'abandoned', message: 'm' } });
  project.git('update-ref', 'refs/devloop/mine', 'HEAD');
  project.git('branch', 'topic');
  const names = () => project.git('for-each-ref', '--format=%(refname)').split('\n');
  await expire(project, 400);
  assert.deepEqual(names(), ['refs/devloop/mine', 'refs/heads/main', 'refs/heads/topic', 'refs/tags/abandoned']);
});

test('they go a few hundred at a time', async (t) => {
  const project = await projectVault(t);
  const count = 501;
  await project.write(async (vault) => {
    const head = vault.refs.get('refs/heads/main');
    assert.ok(head !== undefined);
    const updates = Array.from({ length: count }, (_, i) => ({
      ref: `refs/devloop/attempts/a/1/${i + 1}`,
      old: ZERO_OID,
      new: head,
    }));
    await moveRefs(vault, { updates });
  });
  assert.equal((await expire(project, 40)).length, 500);
  assert.equal((await expire(project, 40)).length, 1);
  assert.equal(kept(project), 0);
});

test('maintenance lets go only where it is told that the project has ended', async (t) => {
  const project = await projectVault(t);
  await withKept(project);
  const { expired } = await project.write((vault) => maintain(in_(400, vault)));
  assert.deepEqual([expired, kept(project)], [[], 2]);
  const done = await project.write((vault) => maintain(in_(400, vault), { ended: later(0) }));
  assert.equal(done.expired.length, 2);
  assert.deepEqual(await project.write((vault) => maintain(vault)), { packed: false, expired: [] });
});
