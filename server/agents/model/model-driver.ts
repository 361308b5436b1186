import { join } from 'node:path';
import {
  type AgentCall,
  type AgentDriver,
  type AgentSession,
  type CallFailure,
  failure,
  type SessionReply,
  stoppedBy,
} from '../driver.ts';
import { projectJail } from '../tools/project-jail.ts';
import { type ToolBox, toolBox } from '../tools/tool-box.ts';
import type { ChatMessage, ChatModel, ReplyListener } from './chat-model.ts';

/** The model that serves one call, what is known of it, and what is to be done when the call has ended. */
export interface OpenChat {
  readonly kind: 'chat';
  readonly chat: ChatModel;
  readonly about: Pick<AgentSession['about'], 'model' | 'source'>;
  readonly max_turns: number;
  readonly close?: () => void;
}

/** Drives a chat model with tools: asks, runs the tools that it calls one after the other, answers, until it calls none. */
export function modelDriver(openChat: (call: AgentCall) => OpenChat | CallFailure): AgentDriver {
  return {
    start: async (call) => {
      const opened = openChat(call);
      return opened.kind === 'chat' ? startSession(call, opened) : opened;
    },
  };
}

function startSession(call: AgentCall, opened: OpenChat): AgentSession {
  const { root, scope, runTests } = call.context;
  const stage = join(root, 'agent-state', 'calls', call.context.call);
  const jail = projectJail({ root, scope, stage, call: call.context.call });
  const tools = toolBox({ jail, progress: call.progress, ...(runTests === undefined ? {} : { runTests }) });
  const talk: Talk = { call, opened, tools, messages: [{ role: 'system', content: call.system }], turns: { taken: 0 } };
  return {
    kind: 'session',
    about: { ...opened.about, layers: ['tool_jail'] },
    prompt: async ({ text, aside }) => {
      talk.messages.push({ role: 'user', content: text, ...(aside === undefined ? {} : { aside }) });
      return converse(talk);
    },
    end: async () => opened.close?.(),
  };
}

interface Talk {
  readonly call: AgentCall;
  readonly opened: OpenChat;
  readonly tools: ToolBox;
  readonly messages: ChatMessage[];
  readonly turns: { taken: number };
}

async function converse(talk: Talk): Promise<SessionReply> {
  const { call, opened, tools, messages, turns } = talk;
  while (turns.taken < opened.max_turns) {
    if (call.signal.aborted) return stoppedBy(call.signal);
    turns.taken += 1;
    const request = { messages: [...messages], tools: tools.specs };
    const reply = await opened.chat.complete(request, call.signal, listener(call));
    if (reply.kind === 'failed') return reply;
    call.progress.spent(reply.usage);
    call.progress.note({ kind: 'message', text: reply.message, tool_calls: reply.tool_calls });
    messages.push({ role: 'assistant', content: reply.message, tool_calls: reply.tool_calls });
    if (reply.tool_calls.length === 0) return { kind: 'answer', text: reply.message };
    call.progress.said('\n');
    for (const wanted of reply.tool_calls) {
      if (call.signal.aborted) break;
      const { text, aside } = await tools.use(wanted);
      call.progress.note({
        kind: 'tool_result',
        tool_call_id: wanted.id,
        text,
        ...(aside === undefined ? {} : { aside }),
      });
      messages.push({
        role: 'tool',
        tool_call_id: wanted.id,
        content: text,
        ...(aside === undefined ? {} : { aside }),
      });
    }
  }
  return failure('agent_error', `no answer after ${opened.max_turns} turns`);
}

function listener({ progress }: AgentCall): ReplyListener {
  return {
    text: (piece) => {
      progress.heard(Buffer.byteLength(piece));
      progress.said(piece);
    },
    bytes: (count) => progress.heard(count),
  };
}
