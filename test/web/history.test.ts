import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Attempt, Commit } from '../../server/web/api/types.ts';
import { blame } from '../../server/web/history/blame.ts';
import { graphLanes } from '../../server/web/history/graph-lanes.ts';
import { historyRows } from '../../server/web/history/history-rows.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { commitChain } from './commit-chain.ts';

const commit = (sha: string, parents: readonly string[]): Commit => ({
  sha,
  parents,
  subject: sha,
  author: { name: sha, email: '' },
  ts: '',
  trailers: {},
  refs: [],
});

describe('the lanes of a history', () => {
  it('stay in one lane where each commit has one parent', () => {
    assert.deepEqual(graphLanes([commit('c', ['b']), commit('b', ['a']), commit('a', [])]), [
      { lane: 0, up: [], down: [0], past: [] },
      { lane: 0, up: [0], down: [0], past: [] },
      { lane: 0, up: [0], down: [], past: [] },
    ]);
  });

  it('put what was tried beside the commit that it was made on', () => {
    const rows = graphLanes([commit('c', ['b']), commit('red', ['a']), commit('b', ['a']), commit('a', [])]);
    assert.deepEqual(
      rows.map(({ lane }) => lane),
      [0, 1, 0, 0],
    );
    assert.deepEqual(rows[2]?.past, [[1, 0]]);
  });

  it('never break a line: what leaves a row at its lower edge enters the next at its upper one', () => {
    const histories = fc.array(fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }), { maxLength: 15 });
    fc.assert(
      fc.property(histories, (shapes) => {
        const commits = shapes.map((steps, at) => ({
          sha: `${at}`,
          parents: [...new Set(steps.map((step) => at + step))].filter((to) => to < shapes.length).map(String),
        }));
        const rows = graphLanes(commits);
        for (const [at, row] of rows.entries()) {
          const leaving = new Set([...row.down, ...row.past.map(([, to]) => to)]);
          const next = rows[at + 1];
          const entering = new Set([...(next?.up ?? []), ...(next?.past ?? []).map(([from]) => from)]);
          assert.deepEqual([...leaving].sort(), [...entering].sort());
          assert.equal(row.down.length, commits[at]?.parents.length);
        }
      }),
    );
  });
});

describe('the rows of a history', () => {
  it('have each attempt above its parent, and none whose parent is not there', () => {
    const attempt = (sha: string, parent: string): Attempt => ({
      unit: 'store',
      round: 1,
      attempt: 1,
      verdict: 'red',
      ref: '',
      sha,
      parent,
    });
    const rows = historyRows([commit('b', ['a']), commit('a', [])], [attempt('x', 'a'), attempt('y', 'elsewhere')]);
    assert.deepEqual(
      rows.map(({ kind, sha }) => `${kind} ${sha}`),
      ['commit b', 'attempt x', 'commit a'],
    );
  });
});

describe('who wrote a line', () => {
  it('is whom git blames, through any row of edits', async () => {
    const edit = fc.record({ at: fc.nat({ max: 9 }), remove: fc.nat({ max: 3 }), add: fc.nat({ max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) =>
        inTempFolder(async (folder) => {
          const { commits, patchOf, blamed, count } = commitChain(folder, edits);
          const found = await blame(count, commits, async ({ sha }) => patchOf(sha));
          assert.deepEqual(
            found.map((one) => one?.sha),
            blamed,
          );
        }),
      ),
      { numRuns: 12 },
    );
  });

  it('is not told where the list of commits does not reach that far', async () => {
    assert.deepEqual(await blame(2, [], async () => ''), [undefined, undefined]);
  });
});
