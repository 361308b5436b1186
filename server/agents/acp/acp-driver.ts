import {
  type ClientConnection,
  methods,
  type PromptRequest,
  type PromptResponse,
  RequestError,
} from '@agentclientprotocol/sdk';
import type { ProcessResult } from '../../io/process-request.ts';
import { startProcess } from '../../io/run-process.ts';
import {
  type AgentCall,
  type AgentDriver,
  type AgentSession,
  type CallFailure,
  failure,
  type Prompt,
  type SessionReply,
  stoppedBy,
} from '../driver.ts';
import {
  type AgentPlace,
  type AgentSetting,
  inAgentPlace,
  openAgentPlace,
  type ProgramTeam,
} from '../process/agent-place.ts';
import { programPrompt, withAside } from '../process/program-prompt.ts';
import { watchWrites } from '../process/watch-writes.ts';
import { type SessionUpdates, sessionUpdates } from './acp-updates.ts';
import { acpWire } from './acp-wire.ts';
import { jailedClient } from './jailed-client.ts';
import { openSession } from './open-session.ts';

type AcpTeam = Extract<ProgramTeam, { readonly driver: 'acp' }>;

/** Between the request to cancel and the end of the agent's processes. */
const CANCEL_MS = 500;
const SHOWN_OF_ERRORS = 2000;

/** Drives an agent that speaks the Agent Client Protocol over its standard streams: one process and one session a call. */
export function acpDriver(setting: AgentSetting): AgentDriver {
  return {
    start: async (call) => {
      const { team } = call.context;
      if (team.driver !== 'acp') return failure('not_started', `the team's driver is ${team.driver}`);
      const place = openAgentPlace(setting, call, team);
      return inAgentPlace(place, async (opened) => {
        const peer = startPeer({ call, team, place: opened });
        const session = await peer.untilGone(openSession(peer.connection.agent, { cwd: opened.root, ...team }));
        if (session.kind === 'session') return talkTo({ call, team, place: opened }, peer, session.id);
        await peer.end();
        await opened.close();
        return session;
      });
    },
  };
}

interface Setup {
  readonly call: AgentCall;
  readonly team: AcpTeam;
  readonly place: AgentPlace;
}

/** The agent's process and the connection to it. */
interface Peer {
  readonly connection: ClientConnection;
  readonly updates: SessionUpdates;
  /** What comes first: the answer, a stop, or the end of the process. */
  untilGone<Answer>(asking: Promise<Answer>): Promise<Answer | CallFailure>;
  end(): Promise<void>;
}

function startPeer({ call, team, place }: Setup): Peer {
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
  const unwatch = watchWrites([place.root, place.folder], progress.wrote);
  const connection = jailedClient(call, place, team.network ?? false).connect(wire.stream);
  const gone = running.done.then(async (result) => {
    unwatch();
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

function talkTo({ call, team, place }: Setup, peer: Peer, sessionId: string): AgentSession {
  const { agent } = peer.connection;
  let told = false;
  return {
    kind: 'session',
    about: {
      layers: [...place.layers, 'permission_policy'],
      ...(team.model === undefined ? {} : { model: team.model }),
    },
    prompt: async (prompt: Prompt) => {
      const text = told ? withAside(prompt) : programPrompt(call, prompt, place.result_file);
      told = true;
      peer.updates.begin();
      const request: PromptRequest = { sessionId, prompt: [{ type: 'text', text }] };
      const answer = await peer.untilGone<PromptResponse>(agent.request(methods.agent.session.prompt, request));
      if ('stopReason' in answer) return replyTo(answer.stopReason, peer.updates);
      if (call.signal.aborted) await askToCancel(peer, sessionId);
      return answer;
    },
    end: async () => {
      await peer.end();
      await place.close();
    },
  };
}

async function askToCancel({ connection }: Peer, sessionId: string): Promise<void> {
  const asked = connection.agent.notify(methods.agent.session.cancel, { sessionId });
  const waited = new Promise<void>((resolve) => setTimeout(resolve, CANCEL_MS).unref());
  await Promise.race([Promise.allSettled([asked, connection.closed]), waited]);
}

/** The library takes any word for a stop reason. */
function replyTo(stopReason: string, updates: SessionUpdates): SessionReply {
  switch (stopReason) {
    case 'end_turn':
      return { kind: 'answer', text: updates.message() };
    case 'refusal':
      return failure('refused', 'the agent declined to go on');
    case 'max_tokens':
    case 'max_turn_requests':
      return failure('agent_error', `the agent stopped at a limit of its own: ${stopReason}`);
    default:
      return failure('agent_error', `the agent stopped for the reason ${JSON.stringify(stopReason)}`);
  }
}

function goneFailure(result: ProcessResult): CallFailure {
  if (result.spawn_error !== undefined) return failure('not_started', result.spawn_error);
  const how = result.exit_code === null ? `by ${result.signal}` : `with status ${result.exit_code}`;
  const words = result.stderr.trim().slice(-SHOWN_OF_ERRORS);
  return failure('agent_error', `the agent's process ended ${how}${words === '' ? '' : `: ${words}`}`);
}
