import type { CallRecord, FailureReason } from '../domain/agent-call.ts';
import type { CallEffect } from '../domain/effect.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';
import type { ProjectFolder } from './ports.ts';
import { timeOf, type Workplace } from './workplace.ts';

type Ending =
  | { readonly status: 'done' | 'interrupted'; readonly record?: CallRecord }
  | {
      readonly status: 'failed';
      readonly record: CallRecord;
      readonly reason: FailureReason;
      readonly detail: string;
    };

/** Where call.json files are written. */
interface Desk {
  readonly ports: Pick<Workplace['ports'], 'clock' | 'projects'>;
  readonly folder: ProjectFolder;
}

/** Keeps agent-state/calls/{call}/call.json, a copy for readers; returns how to note the call's end. */
export async function openCallFile(effect: CallEffect, at: Desk): Promise<(ending: Ending) => Promise<void>> {
  const started_at = timeOf(at);
  await writeCallFile(effect, at, { started_at, status: 'running' });
  return (ending) => closeCallFile(effect, at, { started_at, ...ending });
}

/** Notes the end of a call, also of one that a killed server left running. */
export function closeCallFile(
  effect: CallEffect,
  at: Desk,
  { started_at, status, record, ...why }: Ending & { readonly started_at: string },
): Promise<void> {
  return writeCallFile(effect, at, { started_at, status, ...why, ended_at: timeOf(at), ...record });
}

async function writeCallFile(effect: CallEffect, { ports, folder }: Desk, state: object): Promise<void> {
  const { key: call, role, unit, round, attempt, team } = effect;
  const input_hash = await digest(JSON.stringify(effect.input));
  const about = withoutUndefined({ schema: 1, call, role, unit, round, attempt, driver: team.driver, input_hash });
  const content = `${JSON.stringify({ ...about, ...state }, null, 2)}\n`;
  await ports.projects.note(folder.pid, `agent-state/calls/${call}/call.json`, content);
}

/** The first 12 hex digits of the sha256. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
