import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseOid, ZERO_OID } from '../../server/domain/ids.ts';
import { logLine } from '../../server/io/log-line.ts';
import { recordedHead } from '../../server/vault/open-vault.ts';
import { forgetEnd } from '../support/forget-end.ts';
import { commitSpec, type ProjectVault, projectVault } from '../support/project-vault.ts';

const recordOf = ({ state }: ProjectVault) => join(state, 'refs.ndjson');

/** Puts back the state before the last commit, as if the server had been killed before it moved these refs. */
function undoMoves({ git }: ProjectVault, refs: Readonly<Record<string, string | undefined>>): void {
  for (const [ref, old] of Object.entries(refs)) git('update-ref', ...(old === undefined ? ['-d', ref] : [ref, old]));
}

function restartAfterKill(project: ProjectVault): void {
  project.reopen();
  forgetEnd(project.state);
  project.reopen();
}

test('a repository in order is left as it is', async (t) => {
  const project = await projectVault(t);
  project.put('a');
  await project.commit();
  project.reopen();
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  assert.deepEqual(await project.inspect(), { head, repaired: [], problems: [] });
  project.git('tag', 'by-a-person');
  assert.deepEqual((await project.inspect()).problems, []);
});

test('a killed commit that had moved its tag gets its branch as well', async (t) => {
  const project = await projectVault(t);
  const before = project.git('rev-parse', 'HEAD');
  project.put('a');
  const spec = commitSpec({ tag: { name: 'prd-rev-1', message: 'm' } });
  const { sha } = await project.commit(spec);
  undoMoves(project, { 'refs/heads/main': before });
  restartAfterKill(project);
  const { repaired, problems } = await project.inspect();
  assert.deepEqual([repaired, problems], [['finished moving refs/heads/main', 'brought the index up to main'], []]);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
  assert.equal((await project.commit(spec)).repeated, true);
});

test('a killed commit that had moved nothing never will, and its key is free', async (t) => {
  const project = await projectVault(t);
  const before = project.git('rev-parse', 'HEAD');
  project.put('a');
  const spec = commitSpec({ tag: { name: 'prd-rev-1', message: 'm' } });
  await project.commit(spec);
  undoMoves(project, { 'refs/heads/main': before, 'refs/tags/prd-rev-1': undefined });
  restartAfterKill(project);
  assert.equal((await project.inspect()).head, before);
  project.reopen();
  const again = await project.commit(spec);
  assert.deepEqual([again.repeated, again.tag], [false, 'prd-rev-1']);
  assert.equal(project.git('rev-list', '--count', 'HEAD'), '2');
});

test('a killed commit whose branch somebody has moved elsewhere since counts, and theirs is kept', async (t) => {
  const project = await projectVault(t);
  const before = project.git('rev-parse', 'HEAD');
  project.put('a');
  const { sha } = await project.commit({ tag: { name: 'prd-rev-1', message: 'm' } });
  const strange = project.git('commit-tree', '-m', 'strange', '-p', before, `${before}^{tree}`);
  undoMoves(project, { 'refs/heads/main': strange });
  restartAfterKill(project);
  const { head, repaired } = await project.inspect();
  assert.equal(head, sha);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
  assert.match(repaired[0] ?? '', new RegExp(`put refs/heads/main back, .* ${strange}: .* rescue`));
  assert.match(project.git('log', '--format=%H', '--glob=refs/devloop/rescue'), new RegExp(strange));
});

test('hooks are problems', async (t) => {
  const project = await projectVault(t);
  mkdirSync(join(project.gitDir, 'hooks'));
  writeFileSync(join(project.gitDir, 'hooks', 'pre-commit'), '#!/bin/sh\n');
  const { problems } = await project.inspect();
  assert.deepEqual(problems, ["hooks/pre-commit would run in a person's git"]);
});

test('locks and unfinished objects of killed processes are removed', async (t) => {
  const project = await projectVault(t);
  const git = project.gitDir;
  const files = ['index.lock', 'refs/heads/main.lock', `objects/tmp_obj_devloop-${0x3ffffff}-${'ab'.repeat(6)}`];
  const minuteAgo = new Date(Date.now() - 60_000);
  for (const name of files) {
    writeFileSync(join(git, name), '');
    utimesSync(join(git, name), minuteAgo, minuteAgo);
  }
  const { repaired } = await project.inspect();
  assert.deepEqual([...repaired].sort(), [
    'removed 1 unfinished object files',
    'removed the stale lock index.lock',
    'removed the stale lock refs/heads/main.lock',
  ]);
  project.put('a');
  await project.commit();
  assert.equal(project.git('status', '--porcelain'), '');
});

test('an index that a power cut left empty, torn, of zeros, or that is no file, is made anew', async (t) => {
  const project = await projectVault(t);
  const index = join(project.gitDir, 'index');
  const whole = readFileSync(index);
  const damages = [
    () => writeFileSync(index, ''),
    () => writeFileSync(index, whole.subarray(0, whole.length - 30)),
    () => writeFileSync(index, Buffer.alloc(whole.length)),
    () => symlinkSync('/dev/null', index),
  ];
  for (const damage of damages) {
    rmSync(index);
    damage();
    assert.deepEqual((await project.inspect()).repaired, ['brought the index up to main']);
    assert.deepEqual((await project.inspect()).repaired, []);
    assert.equal(project.git('status', '--porcelain'), '');
  }
});

test('HEAD, config and attributes are put back, and a commit that only HEAD held is kept', async (t) => {
  const project = await projectVault(t);
  const git = project.gitDir;
  const config = readFileSync(join(git, 'config'), 'utf8');
  project.git('checkout', '-q', '--detach');
  project.git('commit', '-q', '--allow-empty', '-m', 'detached');
  const detached = project.git('rev-parse', 'HEAD');
  appendFileSync(join(git, 'config'), '[core]\n\tfsmonitor = touch /tmp/x\n');
  rmSync(join(git, 'info'), { recursive: true });
  const { repaired, problems, head } = await project.inspect();
  assert.deepEqual(problems, []);
  assert.match(
    repaired.join('\n'),
    /kept the detached HEAD as refs\/devloop\/rescue\/20260102T0304\d\d-detached-head\nput info\/attributes back\nput config back\nput HEAD back/,
  );
  assert.equal(readFileSync(join(git, 'config'), 'utf8'), config);
  assert.equal(project.git('rev-parse', 'HEAD'), head);
  assert.match(project.git('for-each-ref', 'refs/devloop/rescue'), new RegExp(detached));
});

test('an index that a kill left behind is brought up, so that status tells the truth', async (t) => {
  const project = await projectVault(t);
  const index = join(project.gitDir, 'index');
  const old = readFileSync(index);
  project.put('a');
  await project.commit();
  writeFileSync(index, old);
  utimesSync(index, new Date(0), new Date(0));
  assert.notEqual(project.git('status', '--porcelain'), '');
  utimesSync(index, new Date(0), new Date(0));
  project.reopen();
  assert.deepEqual((await project.inspect()).repaired, ['brought the index up to main']);
  assert.equal(project.git('status', '--porcelain'), '');
});

test('a project that a person brought in is taken over with its refs', async (t) => {
  const project = await projectVault(t);
  project.put('a');
  const { sha } = await project.commit({ tag: { name: 'v1', message: 'm' } });
  rmSync(project.state, { recursive: true });
  project.reopen();
  const { head, repaired } = await project.inspect();
  assert.equal(head, sha);
  assert.match(repaired[0] ?? '', /took over 2 refs/);
  project.reopen();
  project.put('b');
  await project.commit();
  assert.deepEqual((await project.inspect()).problems, []);
});

test('a folder without a repository, and one without a commit, are told', async (t) => {
  const project = await projectVault(t, { bare: true });
  await assert.rejects(project.inspect(), (error) => isDevLoopError(error, 'vault_damaged'));
  project.git('init', '-q', '-b', 'main');
  await assert.rejects(project.inspect(), (error) => isDevLoopError(error, 'vault_damaged'));
});

test('lines of the record that cannot be read are told', async (t) => {
  const project = await projectVault(t);
  project.put('a');
  await project.commit();
  const lines = readFileSync(recordOf(project), 'utf8').split('\n');
  writeFileSync(recordOf(project), ['damaged', ...lines].join('\n'));
  project.reopen();
  assert.match((await project.inspect()).problems.join(), /1 lines of the server's record/);
});

test('a torn last line of the record is as if it had never been', async (t) => {
  const project = await projectVault(t);
  const head = project.git('rev-parse', 'HEAD');
  appendFileSync(
    recordOf(project),
    logLine({ n: 2, ts: 'x', updates: [{ ref: 'refs/heads/main', old: head, new: '1'.repeat(40) }] }).slice(0, -10),
  );
  project.reopen();
  assert.equal(await project.write(async (vault) => recordedHead(vault)), head);
  assert.equal((await project.inspect()).head, head);
});

test('a revocation of a line that never reached the disk revokes nothing else', async (t) => {
  const project = await projectVault(t);
  const head = project.git('rev-parse', 'HEAD');
  appendFileSync(recordOf(project), `${logLine({ revoked: 2 })}\n`);
  project.reopen();
  assert.equal((await project.inspect()).head, head);
  assert.equal(await project.write(async ({ refs }) => refs.get('refs/heads/main') ?? ZERO_OID), head);
});
