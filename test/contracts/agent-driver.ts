import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { AgentManager } from '../../server/agents/agent-manager.ts';
import type { CallLimits, FailureReason } from '../../server/domain/agent-call.ts';
import type { RoleTeam } from '../../server/domain/team.ts';
import { CODER_INPUT, coderContext, LIMITS } from '../support/agent-context.ts';

/** What an agent behind a driver does in a test. */
export type Behaviour = 'answers' | 'answers at the second prompt' | 'never fits' | 'fails';
export type EndlessBehaviour = 'is silent' | 'floods' | 'is busy';

/** Agents of one driver that behave as a test wants. */
export interface DriverLab {
  agent(
    t: TestContext,
    behaviour: Behaviour | EndlessBehaviour,
  ): Promise<{ readonly manager: AgentManager; readonly team: RoleTeam }>;
  /** How an agent that breaks is told of. */
  readonly broken: FailureReason;
  /** What the driver's agents can do at all. */
  readonly endless: readonly EndlessBehaviour[];
}

/** What every driver keeps to, whatever is behind it. */
export function describeDriver(name: string, lab: DriverLab): void {
  const run = async (
    t: TestContext,
    behaviour: Behaviour | EndlessBehaviour,
    more: {
      readonly limits?: Partial<CallLimits>;
      readonly signal?: AbortSignal;
      readonly onOutput?: (text: string) => void;
    } = {},
  ) => {
    const { manager, team } = await lab.agent(t, behaviour);
    const { limits, ...rest } = more;
    return manager.callAgent(
      'coder',
      CODER_INPUT,
      coderContext(t, { ...rest, team, limits: { ...LIMITS, ...limits } }),
    );
  };
  const reason = (outcome: Awaited<ReturnType<typeof run>>) =>
    outcome.kind === 'failed' ? outcome.reason : outcome.kind;

  describe(`the ${name} driver`, () => {
    it('brings back the result of an agent that does its work', async (t) => {
      const outcome = await run(t, 'answers');
      assert.equal(reason(outcome), 'completed', JSON.stringify(outcome));
      assert.ok(outcome.record.layers.length > 0, 'the record says which bounds were on');
      assert.equal(outcome.record.driver, name);
    });

    it('lets an agent mend its result in the same conversation', async (t) => {
      assert.equal(reason(await run(t, 'answers at the second prompt')), 'completed');
    });

    it('tells an agent that never gives a result from one that broke', async (t) => {
      assert.equal(reason(await run(t, 'never fits')), 'bad_output');
      assert.equal(reason(await run(t, 'fails')), lab.broken);
    });

    if (lab.endless.includes('is silent')) {
      it('ends an agent that is silent, within its limit', async (t) => {
        assert.equal(reason(await run(t, 'is silent', { limits: { idle_ms: 300 } })), 'timeout_idle');
      });

      it('ends an agent at once when the call is cancelled', async (t) => {
        const cancel = new AbortController();
        const signal = cancel.signal;
        const ended = run(t, 'is silent', { signal });
        setTimeout(() => cancel.abort(), 200);
        assert.equal(reason(await ended), 'cancelled');
      });
    }

    if (lab.endless.includes('floods')) {
      it('ends an agent that prints too much', async (t) => {
        assert.equal(reason(await run(t, 'floods', { limits: { output_bytes: 50_000 } })), 'output_limit');
      });
    }

    if (lab.endless.includes('is busy')) {
      it('ends an agent at the wall, however busy it is', async (t) => {
        assert.equal(reason(await run(t, 'is busy', { limits: { wall_ms: 700, idle_ms: 60_000 } })), 'timeout_wall');
      });
    }
  });
}
