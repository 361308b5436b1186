import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { eventOfLine, streamPayload, type TimelineLine, timelineLine } from '../../server/domain/event-wire.ts';
import { EVENT_NAMES, type EventKind, STREAM_ONLY } from '../../server/domain/events.ts';
import { EVERY_EVENT } from '../support/every-event.ts';
import { ROOT } from '../support/running-server.ts';

const AT = { seq: 7, ts: '2026-01-02T03:04:05.678Z', source: 'loop' };
const KINDS = Object.keys(EVENT_NAMES) as EventKind[];

describe('an event', () => {
  for (const kind of KINDS) {
    it(`${kind} keeps every member on its timeline line, and is read back from it`, () => {
      const event = EVERY_EVENT[kind];
      const line = timelineLine(event, AT);
      assert.equal(Object.keys(line).length, 3 + Object.keys(event).length);
      assert.deepEqual(eventOfLine(JSON.parse(JSON.stringify({ ...line, pos: 3 })) as TimelineLine), event);
    });
  }

  it('has the shape on the timeline that scripts rest on', () => {
    const { seq, ts, source, kind, ref, summary, sha } = timelineLine(EVERY_EVENT.git_committed, AT);
    assert.deepEqual([seq, ts, source, kind], [7, AT.ts, 'loop', 'git_committed']);
    assert.equal(ref, String(sha).slice(0, 7));
    assert.equal(summary, 'code(store): implement · attempt 1');
  });

  it('has the shape on the stream that scripts rest on', () => {
    const { sha, summary, left_out } = EVERY_EVENT.git_committed;
    assert.deepEqual(streamPayload(EVERY_EVENT.git_committed), {
      name: 'git.committed',
      data: { sha, kind: 'code', summary, left_out },
    });
    assert.deepEqual(streamPayload(EVERY_EVENT.project_status), {
      name: 'project.status',
      data: { status: 'blocked', reason: 'unit_failed', detail: 'store' },
    });
    assert.equal(streamPayload(EVERY_EVENT.agent_started).data.source, 'scripted');
  });
});

describe('docs/events.md', () => {
  const rows = readFileSync(join(ROOT, 'docs/events.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const words = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

  it('lists every kind with its name on the stream, in the order of the code', () => {
    assert.deepEqual(
      rows.map(([, kind, name]) => [words(kind)[0], words(name)[0]]),
      Object.entries(EVENT_NAMES),
    );
  });

  for (const kind of KINDS) {
    const row = rows.find((cells) => words(cells[1])[0] === kind) ?? [];

    it(`lists the members of ${kind} on the timeline`, () => {
      const { seq: _seq, ts: _ts, source: _source, kind: _kind, ...members } = timelineLine(EVERY_EVENT[kind], AT);
      const listed = words(row[3]).map((word) => word.replace('?', ''));
      assert.deepEqual(listed.sort(), Object.keys(members).sort());
    });

    it(`says what ${kind} is called on the stream`, () => {
      const timeline = Object.keys(timelineLine(EVERY_EVENT[kind], AT)).slice(4);
      const stream = Object.keys(streamPayload(EVERY_EVENT[kind]).data);
      const said = words(row[4]);
      for (const name of timeline) assert.ok(stream.includes(name) || said.includes(name), `${name} is left out`);
      for (const name of stream) assert.ok(timeline.includes(name) || said.includes(name), `${name} is new`);
      for (const name of said) assert.ok(timeline.includes(name) !== stream.includes(name), `${name} is no difference`);
    });
  }

  it('names the kinds that the timeline does not hold', () => {
    const text = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
    for (const kind of STREAM_ONLY) assert.match(text, new RegExp(`\`${kind}\` is on the stream only`));
  });
});
