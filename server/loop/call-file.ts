import type { CallRecord, FailureReason } from '../domain/agent-call.ts';
import type { CallEffect } from '../domain/effect.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';
import { timeOf, type Workplace } from './workplace.ts';

type Ending =
  | { readonly status: 'done' | 'interrupted'; readonly record: CallRecord }
  | { readonly status: 'failed'; readonly record: CallRecord; readonly reason: FailureReason; readonly detail: string };

/** Keeps agent-state/calls/{call}/call.json, a copy for readers; returns how to note the call's end. */
export async function openCallFile(effect: CallEffect, at: Workplace): Promise<(ending: Ending) => Promise<void>> {
  const { key: call, role, unit, round, attempt, team } = effect;
  const started_at = timeOf(at);
  const input_hash = await digest(JSON.stringify(effect.input));
  const about = withoutUndefined({
    schema: 1,
    call,
    role,
    unit,
    round,
    attempt,
    driver: team.driver,
    input_hash,
    started_at,
  });
  const write = (state: object) =>
    at.ports.projects.write(
      at.folder.pid,
      `agent-state/calls/${call}/call.json`,
      `${JSON.stringify({ ...about, ...state }, null, 2)}\n`,
    );
  await write({ status: 'running' });
  return ({ record, ...ending }) => write({ ...ending, ended_at: timeOf(at), ...record });
}

/** The first 12 hex digits of the sha256. */
async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 6), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
