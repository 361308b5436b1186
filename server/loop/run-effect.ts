import type { Effect } from '../domain/effect.ts';
import { isDevLoopError } from '../domain/errors.ts';
import type { Happening } from '../domain/loop-event.ts';
import { callAgentWithPersistence } from './call-agent.ts';
import { runIntegration } from './run-integration.ts';
import { runUnitTests } from './run-unit-tests.ts';
import type { Workplace } from './workplace.ts';
import { commitWork, recover, saveAttempt } from './write-work.ts';

/** Carries an effect out. Whatever goes wrong is an outcome too: this never rejects. */
export async function runEffect(effect: Effect, at: Workplace): Promise<Happening> {
  try {
    return await carryOut(effect, at);
  } catch (error) {
    return failureOf(effect, at, error);
  }
}

function carryOut(effect: Effect, at: Workplace): Promise<Happening> {
  switch (effect.kind) {
    case 'call_agent':
      return callAgentWithPersistence(effect, at);
    case 'test_unit':
      return runUnitTests(effect, at);
    case 'run_integration':
      return runIntegration(effect, at);
    case 'commit':
      return commitWork(effect, at);
    case 'save_attempt':
      return saveAttempt(effect, at);
    case 'recover':
      return recover(effect, at);
  }
}

function failureOf({ kind, key }: Effect, { ports, folder }: Workplace, error: unknown): Happening {
  const code = isDevLoopError(error) ? error.code : 'internal';
  const detail = error instanceof Error ? error.message : String(error);
  ports.log.warn(`${kind} failed`, { pid: folder.pid, key, code, detail, ...(code === 'internal' && { error }) });
  const writes = kind === 'commit' || kind === 'save_attempt';
  return { kind: writes ? 'write.failed' : 'effect.failed', key, code, detail };
}
