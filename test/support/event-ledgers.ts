import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectEvent } from '../../server/domain/events.ts';
import { type ProjectId, parseCallId } from '../../server/domain/ids.ts';
import { EventLedgers, type EventLedgersOptions } from '../../server/events/index.ts';

export interface Warning {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

/** Ledgers below a data folder, with a clock that goes on by a second at each look, and the warnings that were given. */
export function eventLedgers(dataDir: string, options: Partial<EventLedgersOptions> = {}) {
  const warnings: Warning[] = [];
  let time = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => {
      time += 1000;
      return new Date(time);
    },
  };
  const log = { warn: (message: string, data?: Readonly<Record<string, unknown>>) => warnings.push({ message, data }) };
  const locate = async (pid: ProjectId) => projectAt(dataDir, pid);
  return { ledgers: new EventLedgers({ dataDir, locate, clock, log, ...options }), warnings };
}

export function projectAt(dataDir: string, pid: ProjectId): { readonly root: string; readonly state: string } {
  const root = join(dataDir, 'companies/default/projects', pid);
  mkdirSync(root, { recursive: true });
  return { root, state: join(dataDir, '.devloop/vaults/default', pid) };
}

export const status = (detail: string): ProjectEvent => ({ kind: 'project_status', status: 'running', detail });

export const output = (text: string): ProjectEvent => ({ kind: 'agent_output', call: parseCallId('c-1'), text });

/** The entry of one journal record. */
export const entry = (...details: readonly string[]) => ({ events: details.map(status), source: 'loop' });
