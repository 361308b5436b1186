import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildCommitSpec, type CommitWork } from '../../server/domain/build-commit-spec.ts';
import { agentText, cleanText, shortRun } from '../../server/domain/commit-message.ts';
import { parseCallId, parseProjectId, parseRunId, parseUnitId } from '../../server/domain/ids.ts';
import { messageParts } from '../../server/domain/message-parts.ts';
import { tagNames } from '../../server/domain/tag-names.ts';
import { RECORD } from '../support/loop-story.ts';

const of = { call: parseCallId('c7-coder-store'), record: RECORD };
const run = parseRunId('20261130-abcdef012345');
const unit = parseUnitId('store');
const LEDGERS = ['timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson'];
const MILESTONE = ['project.json', ...LEDGERS];
const pm = 'PM Agent <pm@devloop.local>';
const architect = 'Architect Agent <architect@devloop.local>';
const coder = 'Coder Agent <coder@devloop.local>';
const devloop = 'DevLoop <devloop@devloop.local>';

interface Row {
  readonly work: CommitWork;
  readonly subject: string;
  readonly author: string;
  readonly files: readonly string[];
  readonly tag?: string;
}

const revisions = { prd: 2, sdd: 3 };
const design = ['sdd/**', 'units.json', 'integration/spec.json', 'units/*/contract.json', ...LEDGERS];
const rows: readonly Row[] = [
  {
    work: {
      kind: 'init',
      key: 'c1-init',
      pid: parseProjectId('p-abcdefgh'),
      requirement: 'A todo list with a page and an API',
    },
    subject: 'init: project p-abcdefgh · A todo list with a page and an',
    author: devloop,
    files: ['project.json', '.gitignore'],
  },
  {
    work: { kind: 'prd', rev: 2, summary: 'colours', ...of },
    subject: 'prd: rev 2 · colours',
    author: pm,
    files: ['prd/**', ...LEDGERS],
    tag: 'prd-rev-2',
  },
  {
    work: { kind: 'sdd', rev: 3, units: 2, summary: 'store and api', ...of },
    subject: 'sdd: rev 3 · 2 units · store and api',
    author: architect,
    files: design,
    tag: 'sdd-rev-3',
  },
  {
    work: { kind: 'sdd_patch', affected: ['store', 'api'], ...of },
    subject: 'sdd: patch · store, api',
    author: architect,
    files: design,
  },
  {
    work: { kind: 'code', unit, attempt: 1, ...of },
    subject: 'code(store): implement · attempt 1',
    author: coder,
    files: ['units/store/**', ...LEDGERS],
  },
  {
    work: { kind: 'code', unit, attempt: 3, ...of },
    subject: 'code(store): retry → green · attempt 3',
    author: coder,
    files: ['units/store/**', ...LEDGERS],
  },
  {
    work: { kind: 'integ', run, outcome: 'fail', passed: 1, total: 4, ...of },
    subject: 'integ(abcdef012345): fail · 1/4',
    author: 'Integrator Agent <integrator@devloop.local>',
    files: [`integration/runs/${run}/result.json`, ...LEDGERS],
  },
  {
    work: { kind: 'triage', run, category: 'code', confidence: 0.85, ...of },
    subject: 'triage(abcdef012345): code · confidence 0.85',
    author: 'BugTriager Agent <triager@devloop.local>',
    files: [`integration/runs/${run}/triage.json`, ...LEDGERS],
  },
  {
    work: { kind: 'ship', key: 'c9-ship', revisions },
    subject: 'ship: prd@2 sdd@3',
    author: devloop,
    files: MILESTONE,
    tag: 'shipped-v2-3',
  },
  {
    work: { kind: 'sign_off', key: 'c9-sign-off', user: 'ada', revisions },
    subject: 'chore: sign-off by ada',
    author: devloop,
    files: MILESTONE,
    tag: 'final-v2',
  },
  {
    work: { kind: 'abandon', key: 'c9-abandon', reason: 'no time' },
    subject: 'chore: abandon · no time',
    author: devloop,
    files: MILESTONE,
    tag: 'abandoned',
  },
  {
    work: { kind: 'wip', key: 'c9-recover', files: 3 },
    subject: 'wip: recovered after crash · 3 files',
    author: devloop,
    files: ['**'],
  },
];

describe('the commit of a piece of work', () => {
  for (const { work, subject, author, files, tag } of rows) {
    it(`is called "${subject}"`, () => {
      const spec = buildCommitSpec(work);
      assert.equal(spec.subject, subject);
      assert.equal(`${spec.author.name} <${spec.author.email}>`, author);
      assert.deepEqual(spec.files, files);
      assert.equal(spec.tag?.name, tag);
      assert.equal(spec.key, 'key' in work ? work.key : work.call);
      assert.equal(spec.onEmpty, work.kind === 'wip' ? 'skip' : 'allow');
    });
  }

  it('ends with trailers that tie it to its call, and names the Tester beside the Coder', () => {
    const { trailers } = buildCommitSpec({ kind: 'code', unit, attempt: 2, ...of });
    assert.deepEqual(
      trailers.map(({ key, value }) => `${key}: ${value}`),
      [
        'DevLoop-Call: c7-coder-store',
        'DevLoop-Unit: store',
        'DevLoop-Attempt: 2',
        'DevLoop-Agent: recorded (scripted)',
        'Co-authored-by: Tester Agent <tester@devloop.local>',
      ],
    );
  });

  it('names driver and model where they are known', () => {
    assert.equal(agentText({ driver: 'model', model: 'some\nmodel' }), 'model some model');
    assert.equal(agentText({ driver: 'recorded', model: 'm', source: 'recorded' }), 'recorded m (recorded)');
  });

  it('takes any given text for one line that git reads back as it is', () => {
    const any = fc.string({ unit: 'binary', maxLength: 400 });
    fc.assert(
      fc.property(any, (text) => {
        const spec = buildCommitSpec({ kind: 'prd', rev: 1, summary: text, ...of });
        const lines = spec.trailers.map(({ key, value }) => `${key}: ${value}`).join('\n');
        const parts = messageParts(`${spec.subject}\n\n${lines}\n`);
        assert.equal(parts.subject, spec.subject);
        assert.deepEqual(parts.trailers, spec.trailers);
        assert.doesNotMatch(spec.subject, /[\u0000-\u001f\u007f-\u009f]/);
        assert.ok([...spec.subject].length <= 'prd: rev 1 · '.length + 200);
      }),
    );
  });
});

describe('a text in a message', () => {
  it('is cut by code points, not in the middle of one', () => {
    assert.equal(cleanText('🙂'.repeat(300)), '🙂'.repeat(200));
    assert.equal(cleanText('ab🙂', 3), 'ab🙂');
  });
  it('has blanks for line breaks, control characters and marks that turn the direction of text', () => {
    assert.equal(cleanText('one\r\n\ttwo\u0007\u2028three\u202e four'), 'one two three  four');
  });
  it('has no half of a surrogate pair', () => {
    assert.equal(cleanText('a\ud83dz'), 'a\ufffdz');
  });
  it('has the last twelve characters of a run', () => {
    assert.equal(shortRun(run), 'abcdef012345');
  });
});

describe('tag names', () => {
  it('are those that people look for', () => {
    assert.deepEqual(
      [tagNames.prd(1), tagNames.sdd(2), tagNames.shipped({ prd: 1, sdd: 2 }), tagNames.final(1), tagNames.abandoned()],
      ['prd-rev-1', 'sdd-rev-2', 'shipped-v1-2', 'final-v1', 'abandoned'],
    );
  });
});
