import { type ClientConnection, RequestError } from '@agentclientprotocol/sdk';
import type { ProcessResult } from '../../io/process-request.ts';
import { startProcess } from '../../io/run-process.ts';
import { type CallFailure, failure, stoppedBy } from '../driver.ts';
import { watchWrites } from '../process/watch-writes.ts';
import type { AcpSetup } from './acp-setup.ts';
import { type SessionUpdates, sessionUpdates } from './acp-updates.ts';
import { acpWire } from './acp-wire.ts';
import { jailedClient } from './jailed-client.ts';

const SHOWN_OF_ERRORS = 2000;

/** The agent's process and the connection to it. */
export interface Peer {
  readonly connection: ClientConnection;
  readonly updates: SessionUpdates;
  /** What comes first: the answer, a stop, or the end of the process. */
  untilGone<Answer>(asking: Promise<Answer>): Promise<Answer | CallFailure>;
  end(): Promise<void>;
}

/** Starts the agent's process and connects to it. */
export function startPeer(setup: AcpSetup): Peer {
  const { call, team, place } = setup;
  const { progress, signal } = call;
  const updates = sessionUpdates(progress);
  const wire = acpWire((text) => running.write(text), {
    onUpdate: updates.take,
    onUsage: progress.spent,
    onNoise: (line) => progress.note({ kind: 'noise', text: line.slice(0, SHOWN_OF_ERRORS) }),
  });
  const running = startProcess({
    ...place.request(team.command),
    stdin: 'open',
    onOutput: (chunk, stream) => {
      progress.heard(chunk.length);
      if (stream === 'stdout') wire.push(chunk);
    },
  });
  const writes = watchWrites([place.root, place.folder], progress.wrote);
  const connection = jailedClient(setup).connect(wire.stream);
  const gone = running.done.then(async (result) => {
    writes.stop();
    wire.end();
    await lastAnswerTaken();
    return goneFailure(result);
  });
  const stopped = new Promise<CallFailure>((resolve) => {
    if (signal.aborted) resolve(stoppedBy(signal));
    else signal.addEventListener('abort', () => resolve(stoppedBy(signal)), { once: true });
  });
  return {
    connection,
    updates,
    untilGone: async (asking) => {
      const answer = await Promise.race([stopped, answered(asking, gone), gone]);
      return signal.aborted ? stoppedBy(signal) : answer;
    },
    end: async () => {
      running.end();
      await gone;
      connection.close();
    },
  };
}

/** An answer in the last line of a process that ended is passed on before its end is told. */
const lastAnswerTaken = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request that the connection's end rejects is told of by the process's end. */
async function answered<Answer>(asking: Promise<Answer>, gone: Promise<CallFailure>): Promise<Answer | CallFailure> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof RequestError)
      return failure('agent_error', `the agent refused: ${error.message} (${error.code})`);
    return gone;
  }
}

function goneFailure(result: ProcessResult): CallFailure {
  if (result.spawn_error !== undefined) return failure('not_started', result.spawn_error);
  const how = result.exit_code === null ? `by ${result.signal}` : `with status ${result.exit_code}`;
  const words = result.stderr.trim().slice(-SHOWN_OF_ERRORS);
  return failure('agent_error', `the agent's process ended ${how}${words === '' ? '' : `: ${words}`}`);
}
