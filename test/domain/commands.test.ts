import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { causeOf, commandRefusal } from '../../server/domain/command-refusal.ts';
import type { Command } from '../../server/domain/loop-event.ts';
import { PROJECT_STATUSES, type ProjectStatus } from '../../server/domain/project.ts';
import { TRANSITION_CAUSES, TRANSITIONS, transition } from '../../server/domain/status-transitions.ts';
import { LoopStory, oid, unitId } from '../support/loop-story.ts';

const COMMANDS: readonly Command[] = [
  { kind: 'run.requested', units: [], head: oid(1), sandboxed: true },
  { kind: 'pause.requested' },
  { kind: 'resume.requested', head: oid(1), sandboxed: true },
  { kind: 'cancel.requested' },
  { kind: 'gate.approved', gate: 'prd' },
  { kind: 'gate.rejected', gate: 'prd' },
  { kind: 'feedback.given', text: 'more' },
  { kind: 'sign_off.requested', user: 'ada' },
  { kind: 'abandon.requested', reason: 'no time' },
];
const run = COMMANDS[0] ?? assert.fail();

/** A project of each status. */
function storyOf(status: ProjectStatus): LoopStory {
  const gates = { gates: { prd: true, sdd: false } };
  switch (status) {
    case 'created': {
      const story = new LoopStory();
      story.land();
      return story;
    }
    case 'running':
      return new LoopStory().run();
    case 'waiting_approval': {
      const story = new LoopStory(gates).run();
      story.complete('pm');
      story.land();
      return story;
    }
    case 'paused':
    case 'cancelled': {
      const story = new LoopStory().run();
      story.tell({ kind: status === 'paused' ? 'pause.requested' : 'cancel.requested' });
      story.tell({ kind: 'call.interrupted', key: story.call('pm').key });
      return story;
    }
    case 'blocked': {
      const story = new LoopStory().run();
      story.fail('pm', 'refused');
      return story;
    }
    case 'shipped':
      return new LoopStory().toShipped();
    case 'shipped-final':
    case 'abandoned': {
      const story = new LoopStory().toShipped();
      story.tell(
        status === 'abandoned'
          ? { kind: 'abandon.requested', reason: 'no' }
          : { kind: 'sign_off.requested', user: 'ada' },
      );
      story.land();
      return story;
    }
  }
}

describe('a command', () => {
  for (const status of PROJECT_STATUSES) {
    for (const command of COMMANDS) {
      const cause = causeOf(command);
      const to = transition(status, cause);
      it(`${cause} on a project that is ${status} ${to === undefined ? 'is refused' : `leads to ${to}`}`, () => {
        const story = storyOf(status);
        assert.equal(story.state.status, status);
        const refusal = commandRefusal(story.state, command);
        if (to === undefined) {
          assert.ok(refusal);
          const twice = status === 'running' && (cause === 'run' || cause === 'resume');
          assert.equal(refusal.code, twice ? 'already_running' : 'bad_state');
          assert.ok(twice || refusal.hint, 'says what can be done');
          return;
        }
        assert.equal(refusal, undefined);
        story.tell(command);
        if (cause === 'sign_off' || cause === 'abandon') story.land();
        assert.equal(story.state.status, to);
      });
    }
  }

  it('is refused while files are unsettled, but for pause and cancel', () => {
    const story = storyOf('paused');
    story.tell({ kind: 'recovery.found', snapshot: 's1', files: [{ path: 'prd/prd.md', change: 'modified' }] });
    for (const command of COMMANDS) {
      const refusal = commandRefusal(story.state, command);
      const free = command.kind === 'pause.requested' || command.kind === 'cancel.requested';
      if (free) assert.notEqual(refusal?.code, 'recovery_pending');
      else assert.deepEqual([refusal?.code, refusal?.data], ['recovery_pending', { snapshot: 's1' }]);
    }
  });

  it('is refused while the project is being closed', () => {
    const story = storyOf('shipped');
    story.tell({ kind: 'sign_off.requested', user: 'ada' });
    assert.equal(commandRefusal(story.state, { kind: 'abandon.requested', reason: 'no' })?.code, 'busy');
  });

  it('answers the gate that the project waits at, and no other', () => {
    assert.equal(
      commandRefusal(storyOf('waiting_approval').state, { kind: 'gate.approved', gate: 'sdd' })?.code,
      'bad_state',
    );
  });

  it('runs failed units again only where it names them', () => {
    const story = new LoopStory({ attempts: 1 }).toUnits().attempt('red');
    assert.equal(story.state.reason, 'unit_failed');
    const refusal = commandRefusal(story.state, run);
    assert.deepEqual([refusal?.code, refusal?.data], ['bad_state', { units: ['store'] }]);
    assert.match(refusal?.hint ?? '', /"store"/);
    const ask = (id: string) =>
      commandRefusal(story.state, { kind: 'run.requested', units: [unitId(id)], head: oid(1), sandboxed: true });
    assert.equal(ask('store'), undefined);
    assert.equal(ask('api')?.code, 'bad_state');
    assert.equal(ask('ghost')?.code, 'unit_not_found');
  });
});

describe('the transition table', () => {
  it('leads from and to statuses only, and never out of the final ones', () => {
    for (const cause of TRANSITION_CAUSES) {
      for (const [from, to] of Object.entries(TRANSITIONS[cause])) {
        assert.ok((PROJECT_STATUSES as readonly string[]).includes(from));
        assert.ok((PROJECT_STATUSES as readonly string[]).includes(to));
        assert.ok(from !== 'shipped-final' && from !== 'abandoned');
      }
    }
  });
});
