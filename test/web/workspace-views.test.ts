import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { restoreWish, workspaceChange } from '../../server/http/schemas/workspace-request.ts';
import type { Point, Turn } from '../../server/web/api/types.ts';
import { asDiff } from '../../server/web/workspaces/as-diff.ts';
import { documentPatch } from '../../server/web/workspaces/document-patch.ts';
import { wishOf } from '../../server/web/workspaces/restore-wish.ts';
import { changesOf, draftOf, settingsOf } from '../../server/web/workspaces/settings-draft.ts';
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
    const rows = timeRows({ items: [a, b, post, pre] }, { items: [turn] });
    assert.deepEqual(
      rows.map((row) => (row.kind === 'turn' ? 'turn t' : `${row.id} after ${row.before}`)),
      ['b after post', 'turn t', 'a after undefined'],
    );
  });
});

describe('a time line of which more is to come', () => {
  it('reaches no further back than both of its lists do', () => {
    const turn = (id: string, ts: string): Turn => ({
      offset: 0,
      turn: id,
      state: 'ended',
      pre: point(`pre-${id}`, ts),
    });
    const points = { items: [point('c', '7'), point('b', '5'), point('a', '1')], next: undefined };
    const turns = { items: [turn('t2', '6'), turn('t1', '4')], next: 'more' };
    const ids = timeRows(points, turns).map(({ id }) => id);
    assert.deepEqual(ids, ['c', 't2', 'b', 't1'], 'turns between 4 and 1 are not known yet');
    assert.equal(timeRows(points, { items: turns.items }).length, 5);
  });
});

describe('the wish for a restore', () => {
  const taken = (query: Readonly<Record<string, string>>) => restoreWish.safeParse(wishOf(query)).success;

  it('is one that the server takes, for a point, a turn, single paths and a new folder', () => {
    for (const query of [
      { checkpoint: POINT },
      { turn_offset: '0', scope: 'agent' },
      { turn_offset: '2', only: 'src\n docs/a b.md' },
      { checkpoint: POINT, target: 'new', path: '/tmp/elsewhere' },
    ]) {
      assert.ok(taken(query), JSON.stringify(wishOf(query)));
    }
    assert.deepEqual(wishOf({ turn_offset: '2', only: 'src\n docs/a b.md' }), {
      turn_offset: 2,
      only: ['src', ' docs/a b.md'],
    });
  });
});

describe('the settings of a workspace', () => {
  it('are sent only where they were changed, and what is no number goes to the server to be refused', () => {
    const before = draftOf({ gitignore: true, exclude: ['a'], include: [], max_turns: 5 });
    assert.deepEqual(changesOf(before, { ...before, exclude: 'a\nb' }), { exclude: ['a', 'b'] });
    assert.deepEqual(changesOf(before, { ...before, max_turns: '' }), { max_turns: null });
    const typed = changesOf(before, { ...before, max_turns: 'abc' });
    assert.equal(workspaceChange.safeParse({ settings: typed }).success, false);
  });

  it('go into the form and out of it unchanged; what is left empty goes back to its default', () => {
    const settings = {
      nested_history: true,
      nested_stash: false,
      nested_remotes: true,
      history_recipients: [`age1${'q'.repeat(58)}`],
      gitignore: false,
      exclude: ['*.tmp', 'a b'],
      include: [],
      max_turns: 7,
    };
    const sent = settingsOf(draftOf(settings));
    assert.deepEqual(sent, { ...settings, max_age_days: null, max_bytes: null, large_file_bytes: null });
    assert.ok(workspaceChange.safeParse({ settings: sent }).success);
  });
});

describe('the difference of two points', () => {
  it('shows a document as lines, a block each, and of a picture its sizes', () => {
    const contents = {};
    const words = [
      { change: 'same', text: 'The ' },
      { change: 'deleted', text: 'old' },
      { change: 'added', text: 'new' },
      { change: 'same', text: ' title' },
    ] as const;
    const blocks = [{ change: 'changed', at: {}, words }] as const;
    const counts = { added: 0, deleted: 0, changed: 1 };
    const sections = [{ kind: 'body', name: 'Body', change: 'changed', blocks }] as const;
    const read = { contents, counts, sections, not_compared: ['macros'], read_under: [] };
    const patch = documentPatch('a.docx', { kind: 'document', formats: {}, other_parts: [], ...read });
    assert.deepEqual(patch?.hunks[0]?.lines, [
      { kind: 'delete', text: 'The old title' },
      { kind: 'add', text: 'The new title' },
    ]);
    assert.deepEqual(patch?.notes, ['macros']);
    const after = { format: 'png', width: 3, height: 2 } as const;
    const picture = documentPatch('a.png', {
      kind: 'image',
      contents,
      pictures: { after },
      not_compared: [],
      read_under: [],
    });
    assert.deepEqual(picture?.notes, ['– → png 3 × 2']);
    assert.equal(documentPatch('a.txt', { kind: 'same', contents }), undefined);
  });

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
