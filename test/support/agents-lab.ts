import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { AgentManager } from '../../server/agents/agent-manager.ts';
import type { AgentDriver } from '../../server/agents/driver.ts';
import { failure } from '../../server/agents/driver.ts';
import { createAgentManager } from '../../server/agents/index.ts';
import type { ChatModel } from '../../server/agents/model/chat-model.ts';
import { modelDriver } from '../../server/agents/model/model-driver.ts';
import type { AgentSetting } from '../../server/agents/process/agent-place.ts';
import { createSandbox, type SandboxMode } from '../../server/sandbox/index.ts';
import { openProcessRecord } from '../../server/sandbox/process-record.ts';
import { ROOT } from './running-server.ts';
import { scratchFolder } from './scratch-folder.ts';

export const TEMPLATES = join(ROOT, 'templates');
export const FIXED_CLOCK = { now: () => new Date('2026-01-02T03:04:05.000Z') };

const none: AgentDriver = { start: async () => failure('not_started', 'no such driver in this test') };

/** A manager whose `model` driver is the given one. */
export function managerOf(driver: AgentDriver, secrets: readonly string[] = []): AgentManager {
  return new AgentManager({
    templates: TEMPLATES,
    clock: FIXED_CLOCK,
    secretsOf: () => secrets,
    drivers: { recorded: none, command: none, acp: none, model: driver },
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

/** What programs of agents get; nothing confines them but their environment where the sandbox is off. */
export async function openSetting(
  t: TestContext,
  secrets: Readonly<Record<string, string>> = {},
  mode: SandboxMode = 'off',
): Promise<AgentSetting> {
  const tmp = scratchFolder(t);
  const sandbox = await createSandbox({
    mode,
    path: process.env.PATH ?? '',
    hidden: [],
    readable: agentFolders(),
    shim: join(tmp, 'shim'),
  });
  const record = openProcessRecord(join(tmp, 'processes.json'));
  return { sandbox, tmp, processes: () => record, secret: (name) => secrets[name] };
}

/** Where the programs of the tests are, should the checkout lie below a folder that the sandbox hides. */
export function agentFolders(): readonly string[] {
  return ['test/support', '.tmp/agents'].map((name) => join(ROOT, name)).filter((path) => existsSync(path));
}

/** A manager with all drivers, as the app makes it. */
export async function wholeManager(
  t: TestContext,
  secrets: Readonly<Record<string, string>> = {},
  mode: SandboxMode = 'off',
): Promise<AgentManager> {
  return createAgentManager({ ...(await openSetting(t, secrets, mode)), templates: TEMPLATES, clock: FIXED_CLOCK });
}
