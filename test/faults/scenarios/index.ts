import type { Scenario } from '../scenario.ts';
import { appendLogScenario } from './append-log.ts';
import { eventScenarios } from './events.ts';
import { vaultScenarios } from './vault.ts';
import { vaultFilesScenarios } from './vault-files.ts';
import { workspaceScenarios } from './workspace.ts';

/** Every operation that `npm run faults` hurts. */
export const SCENARIOS: readonly Scenario[] = [
  appendLogScenario,
  ...eventScenarios,
  ...vaultScenarios,
  ...vaultFilesScenarios,
  ...workspaceScenarios,
];
