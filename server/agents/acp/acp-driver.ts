import { methods, type PromptRequest, type PromptResponse } from '@agentclientprotocol/sdk';
import { loadCommandGuard } from '../../sandbox/index.ts';
import { type AgentDriver, type AgentSession, failure, type Prompt, type SessionReply } from '../driver.ts';
import { type AgentSetting, inAgentPlace, openAgentPlace } from '../process/agent-place.ts';
import { programPrompt, withAside } from '../process/program-prompt.ts';
import type { AcpSetup } from './acp-setup.ts';
import type { SessionUpdates } from './acp-updates.ts';
import { openSession } from './open-session.ts';
import { type Peer, startPeer } from './peer.ts';

/** Between the request to cancel and the end of the agent's processes. */
const CANCEL_MS = 500;

/** Drives an agent that speaks the Agent Client Protocol over its standard streams: one process and one session a call. */
export function acpDriver(setting: AgentSetting): AgentDriver {
  return {
    start: async (call) => {
      const { team } = call.context;
      if (team.driver !== 'acp') return failure('not_started', `the team's driver is ${team.driver}`);
      const guard = await loadCommandGuard();
      return inAgentPlace(openAgentPlace(setting, call, team), async (opened) => {
        const setup = { call, team, place: opened, guard };
        const peer = startPeer(setup);
        const session = await peer.untilGone(openSession(peer.connection.agent, { cwd: opened.root, ...team }));
        if (session.kind === 'session') return talkTo(setup, peer, session.id);
        await peer.end();
        await opened.close();
        return session;
      });
    },
  };
}

function talkTo({ call, team, place }: AcpSetup, peer: Peer, sessionId: string): AgentSession {
  const { agent } = peer.connection;
  let told = false;
  return {
    kind: 'session',
    about: {
      layers: [...place.layers, 'permission_policy', 'command_guard'],
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
