import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventText } from '../../server/cli/event-text.ts';
import { streamPayload } from '../../server/domain/event-wire.ts';
import { EVERY_EVENT } from '../support/every-event.ts';

/** Events that say nothing new to a person who follows: what agents print, and what the lines before have said. */
const QUIET = new Set(['agent.output', 'unit.status']);
const plainly = (_style: unknown, text: string) => text;
const textOf = (name: string, data: Readonly<Record<string, unknown>>) =>
  eventText({ id: '1', event: name, data }, plainly);

describe('an event as a line', () => {
  for (const event of Object.values(EVERY_EVENT)) {
    const { name, data } = streamPayload(event);
    it(`${name} ${QUIET.has(name) ? 'is passed over' : 'has one'}`, () => {
      const text = textOf(name, { ...data, pid: 'p-1', ts: '2026-01-01T00:00:00Z' });
      if (QUIET.has(name)) return assert.equal(text, undefined);
      assert.ok(text !== undefined && text.length > 4);
      assert.doesNotMatch(text, /undefined|\[object/);
    });
  }

  it('names role, unit, attempt, and the round where it is not the first', () => {
    assert.equal(
      textOf('agent.started', { role: 'coder', unit: 'store', attempt: 2, round: 1 }),
      'coder · store · attempt 2 …',
    );
    assert.equal(textOf('agent.started', { role: 'pm', round: 2 }), 'pm · round 2 …');
  });

  it('gives the red assertion in its own words, set in', () => {
    const first_failure = { id: 'adds', message: 'expected 2\ngot 1' };
    const text = textOf('test.result', { unit: 'store', outcome: 'red', failed: 1, total: 2, first_failure });
    assert.equal(text, 'tests of store red: 1 of 2 failed\n    adds\n    expected 2\n    got 1');
  });

  it('lets no text of an agent steer the terminal', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const data of [
          { role: text, summary: text, unit: text },
          { unit: 'u', outcome: 'red', first_failure: { id: text, message: text } },
          { status: text, detail: text },
          { what: [text] },
        ]) {
          for (const name of ['agent.finished', 'test.result', 'project.status', 'vault.repaired', 'triage.done']) {
            assert.doesNotMatch(
              textOf(name, data) ?? '',
              /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
            );
          }
        }
      }),
    );
  });

  it('an event that is not known yet is passed over', () => {
    assert.equal(textOf('something.new', {}), undefined);
  });
});
