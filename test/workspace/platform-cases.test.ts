// The faults of cases.test.ts that come from slow places, other systems and stacks of branches, as far as they can be met here.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gitBytes } from '../support/git-bytes.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const point = ({ workspace }: WorkspaceLab, signal?: AbortSignal) => workspace.takePoint({ reason: 'case' }, signal);

test('29, 31: a point that takes too long is given up: there is none, the lock is free, and the next one is whole', () =>
  inWorkspace(async (lab) => {
    for (let i = 0; i < 300; i++) lab.put(`d${i % 10}/f${i}`, String(i));
    const budget = new AbortController();
    const slow = point(lab, budget.signal);
    budget.abort(new Error('out of time'));
    await assert.rejects(slow, /out of time/);
    assert.deepEqual(await lab.workspace.points(), []);
    const other = lab.workspaces.open(lab.root);
    assert.equal((await other.takePoint({ reason: 'next' })).counts.files, 300);
    assert.deepEqual((await other.verify()).problems, []);
    await other.close();
  }));

test('43: names that another system reserves are names like all others here', () =>
  inWorkspace(async (lab) => {
    for (const name of ['nul', 'CON.txt', 'a:b', 'dot.', 'star*', 'back\\slash']) lab.put(name, '1');
    const before = lab.files();
    const saved = await point(lab);
    for (const name of ['nul', 'a:b', 'dot.']) lab.put(name, '2');
    await lab.restore({ point: saved.id });
    assert.deepEqual(lab.files(), before);
  }));

test('73: a file that a running command has open is restored whole, and what is written to it before that makes the plan stale', () =>
  inWorkspace(async (lab) => {
    lab.put('out.txt', 'saved');
    lab.put('other', '1');
    const saved = await point(lab);
    lab.put('other', '2');
    const running = openSync(join(lab.root, 'out.txt'), 'a');
    try {
      writeSync(running, ' and one line');
      const plan = await lab.workspace.planRestore({ point: saved.id });
      writeSync(running, ' and another');
      await assert.rejects(lab.workspace.applyRestore(plan.id, plan.digest), { code: 'plan_stale' });
      assert.deepEqual(lab.files(), { 'out.txt': 'file 644 saved and one line and another', other: 'file 644 2' });
      await lab.restore({ point: saved.id });
      writeSync(running, ' and the last');
    } finally {
      closeSync(running);
    }
    assert.deepEqual(lab.files(), { 'out.txt': 'file 644 saved', other: 'file 644 1' });
    await lab.workspace.undoRestore();
    assert.equal(readFileSync(join(lab.root, 'out.txt'), 'utf8'), 'saved and one line and another');
  }));

test('81: of stacked branches a restore moves none, and the plan says where HEAD stands by now', () =>
  inWorkspace(async (lab) => {
    const git = (...args: readonly string[]) => rawGit(lab.root, args).trim();
    git('init', '-q', '-b', 'main');
    const commit = (text: string) => {
      lab.put('f', text);
      git('add', '.');
      git('commit', '-qm', text);
    };
    commit('main');
    for (let i = 1; i <= 8; i++) {
      git('switch', '-qc', `stack-${i}`);
      commit(String(i));
    }
    const was = git('rev-parse', 'HEAD');
    const saved = await point(lab);
    git('switch', '-q', 'stack-3');
    const before = gitBytes(lab.root);
    const plan = await lab.workspace.planRestore({ point: saved.id });
    assert.deepEqual(plan.nested_moved, [{ path: '', was, is: git('rev-parse', 'stack-3') }]);
    await lab.workspace.applyRestore(plan.id, plan.digest);
    assert.equal(readFileSync(join(lab.root, 'f'), 'utf8'), '8');
    assert.equal(gitBytes(lab.root), before);
  }));
