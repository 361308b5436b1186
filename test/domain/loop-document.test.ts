import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { FAILURE_REASONS } from '../../server/domain/agent-call.ts';
import { TRIAGE_CATEGORIES } from '../../server/domain/agent-results.ts';
import { buildCommitSpec, type CommitWork } from '../../server/domain/build-commit-spec.ts';
import { parseCallId, parseProjectId, parseRunId, parseUnitId } from '../../server/domain/ids.ts';
import { RETRY_POLICY } from '../../server/domain/retry-policy.ts';
import { ROLES } from '../../server/domain/roles.ts';
import { TRANSITION_CAUSES, TRANSITIONS } from '../../server/domain/status-transitions.ts';
import { RECORD } from '../support/loop-story.ts';

const text = readFileSync(new URL('../../docs/loop.md', import.meta.url), 'utf8');

/** Rows of the table under a heading, as their cells. */
function table(heading: string): readonly (readonly string[])[] {
  const section = text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

describe('docs/loop.md', () => {
  it('shows exactly the transitions of the code', () => {
    const rows = TRANSITION_CAUSES.map((cause) => [
      cause,
      Object.entries(TRANSITIONS[cause])
        .map(([from, to]) => `${from} → ${to}`)
        .join(', '),
    ]);
    assert.deepEqual(table('Status'), rows);
  });

  it('shows exactly the reactions of the code to failed calls', () => {
    const rows = FAILURE_REASONS.map((reason) => [reason, ...ROLES.map((role) => RETRY_POLICY[reason][role])]);
    assert.deepEqual(table('When a call fails'), rows);
  });

  it('names every category of a triage', () => {
    const named = table('After a failed integration').flatMap(([cell = '']) => cell.split(', '));
    assert.deepEqual(named.toSorted(), [...TRIAGE_CATEGORIES].sort());
  });

  it('shows the subjects, authors and tags that commits have', () => {
    const rows = table('Commits and tags');
    const works = exampleWorks();
    assert.equal(rows.length, works.length);
    for (const [i, [, subject = '', author, tag = '']] of rows.entries()) {
      const work = works[i];
      assert.ok(work);
      const spec = buildCommitSpec(work);
      assert.match(spec.subject, pattern(subject));
      assert.equal(spec.author.name, author);
      assert.match(spec.tag?.name ?? '', pattern(tag));
    }
  });
});

/** A pattern of the document: `{…}` stands for anything, `a|b` for either. */
function pattern(cell: string): RegExp {
  const words = cell.replaceAll('`', '').split(/(\{[^}]*\}|pass\|fail)/);
  const parts = words.map((word) =>
    word.startsWith('{') ? '.+' : word === 'pass|fail' ? '(pass|fail)' : word.replace(/[()]/g, '\\$&'),
  );
  return new RegExp(`^${parts.join('')}$`);
}

function exampleWorks(): readonly CommitWork[] {
  const of = { call: parseCallId('c1-x'), record: RECORD };
  const [run, unit] = [parseRunId('run-abcdefabcdef'), parseUnitId('store')];
  const revisions = { prd: 1, sdd: 2 };
  return [
    { kind: 'init', key: 'c1-init', pid: parseProjectId('p-abcdefgh'), requirement: 'a list' },
    { kind: 'prd', rev: 1, summary: 's', ...of },
    { kind: 'sdd', rev: 1, units: 2, summary: 's', ...of },
    { kind: 'sdd_patch', affected: ['store'], ...of },
    { kind: 'code', unit, attempt: 1, ...of },
    { kind: 'code', unit, attempt: 2, ...of },
    { kind: 'integ', run, outcome: 'pass', passed: 2, total: 2, ...of },
    { kind: 'triage', run, category: 'code', confidence: 1, ...of },
    { kind: 'ship', key: 'k', revisions },
    { kind: 'sign_off', key: 'k', user: 'ada', revisions },
    { kind: 'abandon', key: 'k', reason: 'no' },
    { kind: 'wip', key: 'k', files: 1 },
  ];
}
