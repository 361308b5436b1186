import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeBack } from '../../server/domain/apply-recovery.ts';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { type BootFacts, recoveryPlan } from '../../server/domain/recovery-plan.ts';
import { LoopStory, oid } from '../support/loop-story.ts';

const CLEAN: BootFacts = {
  head: oid(500),
  repaired: [],
  problems: [],
  landed: [],
  saved: [],
  status: { dirty: false, snapshot: 's0', files: [] },
};
const DIRTY: BootFacts = {
  ...CLEAN,
  status: { dirty: true, snapshot: 's1', files: [{ path: bytePathFromLatin1('prd/\xff.md'), change: 'added' }] },
};
const boot = (story: LoopStory, facts: BootFacts) => {
  const plan = recoveryPlan(story.state, facts);
  for (const happening of plan) story.tell(happening);
  return plan.map(({ kind }) => kind);
};
const resume = (story: LoopStory) => story.tell({ kind: 'run.requested', units: [], head: oid(501), sandboxed: true });
const committed = (sha: number) =>
  ({ kind: 'committed', sha: oid(sha), repeated: true, left_out: [], nested: [] }) as const;

describe('what boot does', () => {
  it('is nothing where all is as it was left', () => {
    assert.deepEqual(recoveryPlan(new LoopStory().toShipped().state, CLEAN), []);
  });

  it('pauses a project that was running, and makes its calls again from where they started', () => {
    const story = new LoopStory().toUnits();
    const base = story.state.head;
    const { key } = story.call('coder');
    assert.deepEqual(boot(story, CLEAN), ['project.interrupted', 'boot.scanned']);
    assert.deepEqual([story.state.status, story.state.reason, story.state.inflight], ['paused', 'interrupted', []]);
    assert.equal(story.state.calls.find(({ call }) => call === key)?.status, 'interrupted');
    const lines = story.lines.flatMap((line) => (line.kind === 'agent_failed' ? [[line.call, line.reason]] : []));
    assert.deepEqual(lines, [[key, 'cancelled']], 'what was told as started is told as ended');
    resume(story);
    assert.deepEqual(story.call('coder').from?.rev, base, 'not the head of now, which may hold a wip commit');
  });

  it('takes back a completed call whose work is in no commit', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('green');
    assert.equal(story.state.runs.length, 1);
    boot(story, CLEAN);
    assert.equal(story.state.runs.length, 0, 'a run whose result is lost is not listed');
    resume(story);
    assert.deepEqual([story.call('coder').round, story.call('coder').attempt], [1, 1]);
  });

  it('does not tell a Coder of a red run that is lost', () => {
    const story = new LoopStory().toUnits();
    const first = story.call('coder').input;
    story.complete('coder');
    story.complete('tester');
    story.tested('red');
    boot(story, CLEAN);
    resume(story);
    assert.deepEqual(story.call('coder').input, first);
  });

  it('keeps a red attempt that was saved', () => {
    const story = new LoopStory().toUnits().attempt('red');
    boot(story, CLEAN);
    resume(story);
    assert.deepEqual([story.call('coder').attempt, story.call('coder').from?.rev], [2, 'attempts/store/1/1']);
  });

  it('notes a commit that was made and not noted, and does not make it again', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('green');
    const { key } = story.effect('commit');
    boot(story, { ...CLEAN, landed: [{ key, outcome: committed(600) }] });
    assert.equal(story.state.units[0]?.status, 'green');
    assert.ok(story.lines.some((line) => line.kind === 'git_committed' && line.sha === oid(600)));
    resume(story);
    assert.equal(story.call('coder').unit, 'api');
  });

  it('notes an attempt that was kept and not noted', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('red');
    const { key } = story.effect('save_attempt');
    boot(story, { ...CLEAN, saved: [{ key, sha: oid(601) }] });
    resume(story);
    assert.equal(story.call('coder').attempt, 2);
  });

  it('ships where the ship commit was made and not noted', () => {
    const story = new LoopStory().toIntegration().integration('pass');
    const { key } = story.effect('commit');
    boot(story, { ...CLEAN, landed: [{ key, outcome: { ...committed(602), tag: 'shipped-v1-1' } }] });
    assert.equal(story.state.status, 'shipped');
    assert.ok(story.lines.some((line) => line.kind === 'git_tagged' && line.tag === 'shipped-v1-1'));
  });

  it('runs integration cases again whose result is in no commit', () => {
    const story = new LoopStory().toIntegration();
    story.integrated('fail');
    boot(story, CLEAN);
    resume(story);
    assert.equal(story.effect('run_integration').round, 1);
  });

  it('lists dirty files of any project, with names in bytes, once for the same state', () => {
    const story = new LoopStory().toShipped();
    assert.deepEqual(boot(story, DIRTY), ['recovery.found']);
    const line = story.lines.at(-1);
    assert.ok(line?.kind === 'recovery_dirty_tree');
    assert.deepEqual([line.snapshot, line.options.length], ['s1', 3]);
    assert.deepEqual(line.files, [{ path: 'prd/\ufffd.md', path_b64: btoa('prd/\xff.md'), change: 'added' }]);
    assert.equal(story.state.status, 'shipped');
    assert.deepEqual(boot(story, DIRTY), [], 'the next start finds it listed');
  });

  it('settles what was listed where the files are clean by now', () => {
    const story = new LoopStory().toShipped();
    boot(story, DIRTY);
    assert.deepEqual(boot(story, CLEAN), ['recovery.settled']);
    assert.equal(story.state.recovery, undefined);
    assert.deepEqual(story.lines.at(-1), { kind: 'recovery_settled', action: 'clean', snapshot: 's1' });
  });

  for (const policy of ['commit_as_wip', 'reset_hard'] as const) {
    it(`chooses ${policy} itself where settings say so`, () => {
      const story = new LoopStory({ recovery: { policy } }).toUnits();
      assert.deepEqual(boot(story, DIRTY), [
        'project.interrupted',
        'boot.scanned',
        'recovery.found',
        'recovery.chosen',
      ]);
      assert.equal(story.effect('recover').action, policy);
      assert.equal(story.effect('recover').spec.subject, 'wip: recovered after crash · 1 files');
    });
  }

  it('notes a wip commit that was made and not noted', () => {
    const story = new LoopStory().toUnits();
    boot(story, DIRTY);
    story.tell({ kind: 'recovery.chosen', action: 'commit_as_wip', snapshot: 's1' });
    const { key } = story.effect('recover');
    assert.deepEqual(boot(story, { ...CLEAN, landed: [{ key, outcome: committed(603) }] }), [
      'recovery.settled',
      'boot.scanned',
    ]);
    const wip = story.lines.find((line) => line.kind === 'git_committed' && line.commit === 'wip');
    assert.ok(wip?.kind === 'git_committed' && wip.sha === oid(603));
    assert.equal(story.state.recovery, undefined);
  });

  it('asks again where a chosen recovery was not carried out', () => {
    const story = new LoopStory().toUnits();
    boot(story, DIRTY);
    story.tell({ kind: 'recovery.chosen', action: 'reset_hard', snapshot: 's1' });
    assert.deepEqual(boot(story, DIRTY), ['boot.scanned']);
    assert.deepEqual([story.state.recovery?.snapshot, story.state.inflight], ['s1', []]);
  });

  it('keeps the mark of a person who is looking at the files', () => {
    const story = new LoopStory().toShipped();
    boot(story, DIRTY);
    story.tell({ kind: 'recovery.chosen', action: 'manual_inspect', snapshot: 's1' });
    assert.equal(story.state.recovery?.inspecting, true);
    boot(story, DIRTY);
    assert.equal(story.state.recovery?.inspecting, true);
    boot(story, { ...DIRTY, status: { ...DIRTY.status, snapshot: 's2' } });
    assert.deepEqual([story.state.recovery?.snapshot, story.state.recovery?.inspecting], ['s2', false]);
  });

  it('tells what the vault has mended', () => {
    const story = new LoopStory().toShipped();
    boot(story, { ...CLEAN, repaired: ['.git/index.lock'] });
    assert.deepEqual(story.lines.at(-1), { kind: 'vault_repaired', what: ['.git/index.lock'] });
  });

  it('blocks a project whose repository has problems, but not one that is final', () => {
    const open = new LoopStory().toUnits();
    boot(open, { ...CLEAN, problems: ['HEAD is not on main'] });
    assert.deepEqual(
      [open.state.status, open.state.reason, open.state.detail],
      ['blocked', 'vault_damaged', 'HEAD is not on main'],
    );
    const shipped = new LoopStory().toShipped();
    boot(shipped, { ...CLEAN, problems: ['HEAD is not on main'] });
    assert.equal(shipped.state.status, 'shipped');
  });
});

describe('taking work back', () => {
  it('leaves green and failed units, and those that have not begun', () => {
    const story = new LoopStory({ attempts: 1 });
    story.toUnits().attempt('green').attempt('red');
    const { units } = takeBack(story.state);
    assert.deepEqual(units, story.state.units);
  });

  it('changes nothing the second time', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    const once = takeBack(story.state);
    assert.deepEqual(takeBack(once), once);
  });
});
