import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coderLog, logSection, withSection } from '../../server/domain/coder-log.ts';
import { nextKey } from '../../server/domain/next-key.ts';
import { projectFileSchema } from '../../server/domain/project.ts';
import { projectFile } from '../../server/domain/project-file.ts';
import { shortReport } from '../../server/domain/short-report.ts';
import { withoutUndefined } from '../../server/domain/without-undefined.ts';
import { LoopStory, unitReport } from '../support/loop-story.ts';

const unit = { round: 1, attempt: 2, coder: undefined };
const at = '2026-01-01T00:00:00.000Z';

describe('coder.log', () => {
  it('has a section for an attempt, with what failed', () => {
    const { text } = logSection(unit, { at, report: unitReport('red') });
    assert.equal(
      text,
      `## round 1 · attempt 2 · red · ${at}\n\ntests: 1 passed, 1 failed\nfailed: adds: expected 1, got 2\n`,
    );
  });

  it('has a section for an attempt whose call failed', () => {
    const failure = { role: 'tester', reason: 'bad_output', detail: 'no\nJSON' } as const;
    assert.match(
      logSection(unit, { at, failure }).text,
      /attempt 2 · failed · .*\n\ntester failed: bad_output: no JSON\n$/,
    );
  });

  it('has one section for an attempt that was made again', () => {
    const first = logSection(unit, { at, report: unitReport('red') });
    const second = logSection(unit, { at, report: unitReport('green') });
    assert.equal(coderLog(withSection(withSection([], first), second)), second.text);
  });
});

describe('project.json', () => {
  it('fits its own schema, and carries the milestone', () => {
    const file = JSON.parse(projectFile(new LoopStory().state, 'created'));
    assert.equal(projectFileSchema.parse(file).status, 'created');
  });
});

describe('a report for the journal', () => {
  it('is the report itself where it is not very long', () => {
    const report = unitReport('red');
    assert.equal(shortReport(report), report);
  });

  it('of very many tests keeps the failed ones first, and all the counts', () => {
    const tests = Array.from(
      { length: 1000 },
      (_, i) => ({ id: `t${i}`, status: i < 990 ? 'passed' : 'failed' }) as const,
    );
    const short = shortReport({ ...unitReport('red'), passed: 990, failed: 10, tests });
    assert.equal(short.tests.length, 200);
    assert.equal(short.tests.filter(({ status }) => status === 'failed').length, 10);
    assert.deepEqual([short.passed, short.failed], [990, 10]);
  });
});

describe('the id of a call', () => {
  it('is an id however long the unit is called', () => {
    assert.equal(nextKey({ counter: 7 }, 'coder', 'store'), 'c7-coder-store');
    assert.equal(nextKey({ counter: 12345 }, 'bug-triager', 'u'.repeat(63)).length, 63);
  });
});

describe('withoutUndefined', () => {
  it('drops what is undefined and nothing else', () => {
    assert.deepEqual(withoutUndefined({ a: undefined, b: null, c: 0, d: '' }), { b: null, c: 0, d: '' });
  });
});
