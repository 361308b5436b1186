import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ProjectEvent } from '../../server/domain/events.ts';
import { LoopStory, oid, RECORD, unitReport } from '../support/loop-story.ts';

/** The entry of the last event told. */
const last = (story: LoopStory) => story.entries.at(-1) ?? assert.fail();

/** A line in few words. */
function words(line: ProjectEvent): string {
  switch (line.kind) {
    case 'project_status':
      return `project ${line.status}`;
    case 'unit_status':
      return `${line.unit} ${line.status} ${line.round}.${line.attempt}`;
    case 'agent_started':
      return `${line.role} starts`;
    case 'agent_finished':
      return `${line.role} ends`;
    case 'git_committed':
      return line.summary.replace(/\d{12}/, 'RUN').replace(/^init: .*/, 'init');
    case 'git_tagged':
      return `tag ${line.tag}`;
    case 'test_result':
      return `tests of ${line.unit} ${line.outcome} ${line.passed}/${line.total}`;
    case 'integration_result':
      return `cases ${line.outcome} ${line.passed}/${line.total}`;
    case 'attempt_saved':
      return `attempt ${line.unit}/${line.round}/${line.attempt}`;
    case 'triage_done':
      return `triage ${line.category} ${line.blamed_units.join()}`;
    default:
      return line.kind;
  }
}

describe('the timeline of a project', () => {
  it('tells the whole story, each thing where it happens', () => {
    const story = new LoopStory();
    story.units = story.units.slice(0, 1);
    story.toUnits().attempt('red').attempt('green').integration('fail').attempt('green').integration('pass').land();
    assert.deepEqual(story.lines.map(words), [
      'project created',
      'init',
      'project running',
      'pm starts',
      'pm ends',
      'prd: rev 1 · a todo list',
      'tag prd-rev-1',
      'architect starts',
      'architect ends',
      'sdd: rev 1 · 1 units · store and api',
      'tag sdd-rev-1',
      'store coding 1.1',
      'coder starts',
      'coder ends',
      'store testing 1.1',
      'tester starts',
      'tester ends',
      'tests of store red 1/2',
      'store red 1.1',
      'attempt store/1/1',
      'store coding 1.2',
      'coder starts',
      'coder ends',
      'store testing 1.2',
      'tester starts',
      'tester ends',
      'tests of store green 2/2',
      'code(store): retry → green · attempt 2',
      'store green 1.2',
      'cases fail 1/2',
      'integrator starts',
      'integrator ends',
      'integ(RUN): fail · 1/2',
      'bug-triager starts',
      'bug-triager ends',
      'triage code store',
      'triage(RUN): code · confidence 0.9',
      'store coding 2.1',
      'coder starts',
      'coder ends',
      'store testing 2.1',
      'tester starts',
      'tester ends',
      'tests of store green 2/2',
      'code(store): implement · attempt 1',
      'store green 2.1',
      'cases pass 2/2',
      'integrator starts',
      'integrator ends',
      'integ(RUN): pass · 2/2',
      'ship: prd@1 sdd@1',
      'tag shipped-v1-1',
      'project shipped',
    ]);
  });
});

describe('an entry', () => {
  it('names a person, a role or the loop as its source', () => {
    const story = new LoopStory();
    assert.equal(last(story).source, 'user');
    story.land();
    assert.equal(last(story).source, 'loop');
    story.tell({ kind: 'run.requested', units: [], head: oid(1), sandboxed: true });
    assert.equal(last(story).source, 'user');
    story.complete('pm');
    assert.equal(last(story).source, 'pm');
    story.tell({ kind: 'server.stopping' });
    assert.equal(last(story).source, 'loop');
  });

  it('of a started call says who works on what, and how', () => {
    const story = new LoopStory().toUnits();
    assert.deepEqual(last(story).events.at(-1), {
      kind: 'agent_started',
      call: 'c6-coder-store',
      role: 'coder',
      unit: 'store',
      round: 1,
      attempt: 1,
      driver: 'recorded',
    });
  });

  it('of an ended call has its duration, usage and summary', () => {
    const story = new LoopStory().run();
    story.complete('pm', { change_summary: 'one\nline' });
    assert.deepEqual(last(story).events, [
      {
        kind: 'agent_finished',
        call: 'c2-pm',
        role: 'pm',
        round: 1,
        attempt: 1,
        duration_ms: RECORD.duration_ms,
        usage: RECORD.usage,
        summary: 'one line',
      },
    ]);
  });

  it('of a commit has the short and the full id, and each file that was left out', () => {
    const story = new LoopStory().run();
    story.complete('pm');
    const left_out = [{ path: 'prd/big.bin', reason: 'too_large' }] as const;
    story.tell({ kind: 'commit.landed', key: 'c2-pm', sha: oid(0xabc), tag: 'prd-rev-1.2', left_out });
    const [commit, tag] = last(story).events;
    assert.deepEqual(commit, {
      kind: 'git_committed',
      ref: oid(0xabc).slice(0, 7),
      sha: oid(0xabc),
      commit: 'prd',
      summary: 'prd: rev 1 · a todo list',
      left_out,
    });
    assert.deepEqual(tag, { kind: 'git_tagged', tag: 'prd-rev-1.2', sha: oid(0xabc) });
    assert.deepEqual(last(story).changelog, [{ kind: 'prd', rev: 1, tag: 'prd-rev-1.2', summary: 'a todo list' }]);
  });

  it('of a red run has the first failure in its own words', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tested('red');
    const [line] = last(story).events;
    assert.ok(line?.kind === 'test_result');
    assert.deepEqual(line.first_failure, { id: 'adds', message: 'expected 1, got 2' });
  });

  it('of a run without the promised tests names the first that is missing', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    const { key } = story.effect('test_unit');
    const report = { ...unitReport('red'), tests: [], missing_tests: ['removes', 'adds'] };
    story.tell({ kind: 'unit.tested', key, run: story.nextRun(), report, code_tree: oid(1), tests_tree: oid(2) });
    const [line] = last(story).events;
    assert.ok(line?.kind === 'test_result');
    assert.deepEqual(line.first_failure, { id: 'removes', message: 'promised and not found' });
  });

  it('of cases whose services did not come up says why', () => {
    const story = new LoopStory().toIntegration();
    const { key } = story.effect('run_integration');
    const report = {
      outcome: 'environment',
      passed: 0,
      total: 0,
      cases: [],
      environment_error: 'no port',
      duration_ms: 1,
    } as const;
    story.tell({ kind: 'integration.ran', key, run: story.nextRun(), report });
    const [line] = last(story).events;
    assert.ok(line?.kind === 'integration_result');
    assert.deepEqual(line.first_failure, { id: 'environment', message: 'no port' });
  });

  it('is empty where nothing is to be told', () => {
    const story = new LoopStory().toUnits();
    story.complete('coder');
    story.complete('tester');
    story.tell({ kind: 'run.interrupted', key: story.effect('test_unit').key });
    assert.deepEqual(last(story).events, []);
    assert.deepEqual([last(story).changelog, last(story).bugs], [undefined, undefined]);
  });

  it('tells a status once, also where its reason stays', () => {
    const story = new LoopStory().run();
    story.tell({ kind: 'pause.requested' });
    story.tell({ kind: 'call.interrupted', key: story.call('pm').key });
    const told = story.lines.filter((line) => line.kind === 'project_status' && line.status === 'paused');
    assert.equal(told.length, 1);
  });

  it('of a rejected PRD has what the person said', () => {
    const story = new LoopStory({ gates: { prd: true } }).run();
    story.complete('pm');
    story.land();
    story.tell({ kind: 'gate.rejected', gate: 'prd', note: 'too long' });
    assert.deepEqual(last(story).events[0], {
      kind: 'project_status',
      status: 'running',
      reason: 'rejected',
      detail: 'too long',
    });
  });

  it('tells a triaged bug again only where something about it has changed', () => {
    const story = new LoopStory().toIntegration().integration('fail').attempt('green').integration('fail');
    const bugs = story.entries.flatMap((entry) => entry.bugs ?? []);
    assert.deepEqual(
      bugs.map(({ state }) => state),
      ['open', 'open'],
    );
    assert.notEqual(bugs[0]?.bug, bugs[1]?.bug, 'each failed run is a bug of its own');
  });
});
