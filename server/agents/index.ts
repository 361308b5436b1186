import type { Clock } from '../io/clock.ts';
import { acpDriver } from './acp/acp-driver.ts';
import { AgentManager } from './agent-manager.ts';
import { commandDriver } from './command/command-driver.ts';
import { liveChat } from './model/live-chat.ts';
import { modelDriver } from './model/model-driver.ts';
import type { AgentSetting } from './process/agent-place.ts';
import { recordedChat } from './recorded/recorded-chat.ts';
import { recordedDriver } from './recorded/recorded-driver.ts';
import { secretsOf } from './secrets-of.ts';

export type { AgentManager } from './agent-manager.ts';
export { type AgentTrial, tryAgent } from './try-agent.ts';

/** `secret` reads a key by the name of its environment variable; undefined where it is not set. */
export interface AgentSettings extends AgentSetting {
  /** Absolute path of templates/. */
  readonly templates: string;
  readonly clock: Clock;
  /** Absolute path of a new file that keeps what live models decide (`--record`). */
  readonly record?: string;
}

/** Puts the manager and its drivers together. */
export function createAgentManager(settings: AgentSettings): AgentManager {
  const { templates, clock, secret, record } = settings;
  const live = liveChat(secret);
  const model =
    record === undefined
      ? live
      : recordedChat(live, {
          path: record,
          source: 'recorded',
          date: () => clock.now().toISOString().slice(0, 10),
          secretsOf: ({ context }) => secretsOf(context.team, secret),
        });
  return new AgentManager({
    templates,
    clock,
    secretsOf: (team) => secretsOf(team, secret),
    drivers: {
      recorded: recordedDriver(templates),
      model: modelDriver(model),
      command: commandDriver(settings),
      acp: acpDriver(settings),
    },
  });
}
