import { join } from 'node:path';
import { AgentManager } from '../../server/agents/agent-manager.ts';
import type { AgentDriver } from '../../server/agents/driver.ts';
import { failure } from '../../server/agents/driver.ts';
import type { ChatModel } from '../../server/agents/model/chat-model.ts';
import { modelDriver } from '../../server/agents/model/model-driver.ts';
import { ROOT } from './running-server.ts';

export const TEMPLATES = join(ROOT, 'templates');
export const FIXED_CLOCK = { now: () => new Date('2026-01-02T03:04:05.000Z') };

const none: AgentDriver = { start: async () => failure('not_started', 'no such driver in this test') };

/** A manager whose `model` driver is the given one. */
export function managerOf(driver: AgentDriver, secrets: readonly string[] = []): AgentManager {
  return new AgentManager({
    templates: TEMPLATES,
    clock: FIXED_CLOCK,
    secretsOf: () => secrets,
    drivers: { recorded: none, model: driver },
  });
}

/** A manager whose model is scripted. */
export function managerOfChat(chat: ChatModel, secrets: readonly string[] = []): AgentManager {
  return managerOf(
    modelDriver(() => ({ kind: 'chat', chat, about: { model: 'scripted' }, max_turns: 20 })),
    secrets,
  );
}

export const MODEL_TEAM = { driver: 'model', base_url: 'http://127.0.0.1:9/v1', model: 'scripted' } as const;
