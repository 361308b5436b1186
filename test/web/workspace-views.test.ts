import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { restoreWish, workspaceChange } from '../../server/http/schemas/workspace-request.ts';
import type { Point, Turn } from '../../server/web/api/types.ts';
import { asDiff } from '../../server/web/workspaces/as-diff.ts';
import { wishOf } from '../../server/web/workspaces/restore-wish.ts';
import { draftOf, settingsOf } from '../../server/web/workspaces/settings-draft.ts';
import { timeRows } from '../../server/web/workspaces/time-line-rows.ts';

const POINT = '20261130t101112131-abcdef';
const point = (id: string, ts: string): Point => ({
  id,
  phase: 'MANUAL',
  reason: id,
  pinned: false,
  ts,
  noop: false,
  complete: true,
  counts: { files: 1, links: 0, folders: 0, bytes: 1 },
  left_out: [],
  nested: [],
  commit: '0'.repeat(40),
});

describe('the time line of a workspace', () => {
  it('has turns and points of their own, newest first; a point is compared with the one before it', () => {
    const [a, pre, post, b] = [point('a', '1'), point('pre', '2'), point('post', '3'), point('b', '4')];
    const turn: Turn = { offset: 0, turn: 't', state: 'ended', pre, post };
    const rows = timeRows([a, b, post, pre], [turn]);
    assert.deepEqual(
      rows.map((row) => (row.kind === 'turn' ? 'turn t' : `${row.id} after ${row.before}`)),
      ['b after post', 'turn t', 'a after undefined'],
    );
  });
});

describe('the wish for a restore', () => {
  const taken = (query: Readonly<Record<string, string>>) => restoreWish.safeParse(wishOf(query)).success;

  it('is one that the server takes, for a point, a turn, single paths and a new folder', () => {
    for (const query of [
      { checkpoint: POINT },
      { turn_offset: '0', scope: 'agent' },
      { turn_offset: '2', only: ' src  docs/a.md ' },
      { checkpoint: POINT, target: 'new', path: '/tmp/elsewhere' },
    ]) {
      assert.ok(taken(query), JSON.stringify(wishOf(query)));
    }
    assert.deepEqual(wishOf({ turn_offset: '2', only: ' src  docs/a.md ' }), {
      turn_offset: 2,
      only: ['src', 'docs/a.md'],
    });
  });
});

describe('the settings of a workspace', () => {
  it('go into the form and out of it unchanged; what is left empty goes back to its default', () => {
    const settings = { gitignore: false, exclude: ['*.tmp', 'a b'], include: [], max_turns: 7 };
    const sent = settingsOf(draftOf(settings));
    assert.deepEqual(sent, { ...settings, max_age_days: null, max_bytes: null, large_file_bytes: null });
    assert.ok(workspaceChange.safeParse({ settings: sent }).success);
  });
});

describe('the difference of two points', () => {
  it('is shown as one of a project', () => {
    const { files } = asDiff({
      from: 'a',
      to: 'b',
      patch: '',
      files: [{ path: 'x', change: 'renamed', renamed_from: { path: 'y' }, additions: 1 }],
    });
    assert.deepEqual(files, [{ path: 'x', change: 'modified', additions: 1 }]);
  });
});
