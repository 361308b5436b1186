import { readdirSync, readFileSync } from 'node:fs';

/** The variable by which a test knows the processes that its own agents started, whatever else runs beside it. */
export const MARK_VARIABLE = 'BAD_AGENT_MARK';

/** Ids of processes with this mark in their environment. */
export function marked(mark: string): readonly string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(mark));
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
