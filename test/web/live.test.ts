import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { EVENT_NAMES, type EventKind } from '../../server/domain/events.ts';
import type { Project } from '../../server/web/api/types.ts';
import { foldProject } from '../../server/web/live/fold-project.ts';
import { type LiveEvent, ofStream } from '../../server/web/live/live-event.ts';
import { liveState, NOT_YET } from '../../server/web/live/live-state.ts';
import { readStream, type StreamMessage } from '../../server/web/live/read-stream.ts';
import { project } from './sample-project.ts';

const event = (seq: number, kind = 'unit_status', more: object = {}): LiveEvent => ({ seq, ts: '', kind, ...more });
const told = (...seqs: readonly number[]) => ({ kind: 'told', events: seqs.map((seq) => event(seq)) }) as const;

describe('the link to a project', () => {
  it('has each event once and in its order, however often and in whatever order it was told', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 12 })), (batches) => {
        const { events } = batches.reduce((state, seqs) => liveState(state, told(...seqs)), NOT_YET);
        const expected = [...new Set(batches.flat())].sort((a, b) => a - b);
        assert.deepEqual(
          events.map(({ seq }) => seq),
          expected,
        );
      }),
    );
  });

  it('catches up when the server answers, is live when the stream is open, and reconnects when it is lost', () => {
    let state = NOT_YET;
    const links = (['reached', 'opened', 'lost', 'reached', 'opened'] as const).map((kind) => {
      state = liveState(state, { kind });
      return state.link;
    });
    assert.deepEqual(links, ['catching_up', 'live', 'reconnecting', 'catching_up', 'live']);
  });

  it('keeps the list as it is where nothing is new', () => {
    const state = liveState(NOT_YET, told(1, 2));
    assert.equal(liveState(state, told(2, 1)).events, state.events);
  });
});

const streamOf = (parts: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });

describe('an event of the stream', () => {
  it('has the kind and the members of the timeline', () => {
    for (const [kind, name] of Object.entries(EVENT_NAMES) as [EventKind, string][]) {
      assert.equal(ofStream('7', name, '{"pid":"p-a","ts":"now"}').kind, kind);
    }
    const committed = ofStream('7', 'git.committed', '{"kind":"code","sha":"abc","ts":"now"}');
    assert.deepEqual(committed, { seq: 7, kind: 'git_committed', commit: 'code', sha: 'abc', ts: 'now' });
    assert.equal(ofStream('8', 'agent.started', '{"source":"scripted","ts":""}').decisions, 'scripted');
  });

  it('is read however the bytes are cut', async () => {
    const text =
      ': hello\n\nid: 1\nevent: git.tagged\ndata: {"tag":"ü"}\n\nevent: stream.reset\ndata: {"oldest":"5"}\n\n';
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 3, 7, 1_000]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.slice(at * size, (at + 1) * size),
      );
      const found: StreamMessage[] = [];
      for await (const batch of readStream(streamOf(parts))) found.push(...batch);
      assert.deepEqual(found, [
        { id: '1', name: 'git.tagged', data: '{"tag":"ü"}' },
        { id: undefined, name: 'stream.reset', data: '{"oldest":"5"}' },
      ]);
    }
  });
});

describe('a project after an event', () => {
  const started = event(1, 'agent_started', {
    call: 'c1',
    role: 'coder',
    unit: 'store',
    round: 1,
    attempt: 1,
    driver: 'model',
  });
  const finished = event(2, 'agent_finished', { call: 'c1', role: 'coder', duration_ms: 9, usage: { cost: 1 } });

  it('has the new status of the project and of its units', () => {
    const blocked = foldProject(project(), event(1, 'project_status', { status: 'blocked', reason: 'unit_failed' }));
    assert.deepEqual([blocked.status, blocked.reason], ['blocked', 'unit_failed']);
    assert.equal(foldProject(blocked, event(2, 'project_status', { status: 'running' })).reason, undefined);
    const red = foldProject(project(), event(1, 'unit_status', { unit: 'store', status: 'red', round: 2, attempt: 3 }));
    assert.deepEqual(
      red.units.map(({ id, status, round, attempt }) => `${id} ${status} ${round}.${attempt}`),
      ['store red 2.3', 'api waiting 1.1'],
    );
    assert.equal(foldProject(project(), event(1, 'gate_waiting', { gate: 'sdd' })).gate, 'sdd');
  });

  it('has the revision that waits at a gate, before it is read anew: no answer goes to another one', () => {
    const tagged = (tag: string) => event(1, 'git_tagged', { tag });
    const { revisions } = ['sdd-rev-2', 'prd-rev-1', 'shipped-v1-1'].map(tagged).reduce(foldProject, project());
    assert.deepEqual(revisions, { prd: 1, sdd: 2 });
    assert.deepEqual(foldProject(project({ revisions }), tagged('sdd-rev-1')).revisions, revisions);
  });

  it('has a call that begins and ends, once', () => {
    const after = [started, started, finished, finished, started].reduce(foldProject, project());
    assert.deepEqual(
      after.calls.map(({ call, status, duration_ms, usage }) => ({ call, status, duration_ms, usage })),
      [{ call: 'c1', status: 'done', duration_ms: 9, usage: { cost: 1 } }],
    );
  });

  it('is the same project where the event changes nothing that is shown', () => {
    const before: Project = project();
    assert.equal(foldProject(before, event(1, 'git_tagged', { tag: 'x' })), before);
  });
});
