import type { RoleTeam } from '../domain/team.ts';
import { tryEndpoint } from './model/try-endpoint.ts';
import type { AgentSetting } from './process/agent-place.ts';
import { tryProgram } from './process/try-program.ts';
import { findRecording } from './recorded/find-recording.ts';

/** Whether an agent could work here: what was seen of it, or what is missing. */
export interface AgentTrial {
  readonly ok: boolean;
  readonly detail: string;
  /** What would hold it. */
  readonly layers: readonly string[];
}

export interface TrialSetting extends AgentSetting {
  /** Absolute path of templates/demo. */
  readonly demos: string;
  /** Absolute path of an empty folder that stands for a project's. */
  readonly root: string;
}

/** Between the start of a trial and its end, at most. */
const TRIAL_MS = 30_000;

/** Does all of an agent's call that costs nothing: finds it, its key and its sandbox, starts it, and agrees on a protocol. */
export async function tryAgent(team: RoleTeam, setting: TrialSetting): Promise<AgentTrial> {
  const signal = AbortSignal.timeout(TRIAL_MS);
  switch (team.driver) {
    case 'recorded':
      return { ...tryRecording(team, setting.demos), layers: ['tool_jail'] };
    case 'model':
      return { ...(await tryEndpoint(team, { secret: setting.secret, signal })), layers: ['tool_jail'] };
    case 'command':
    case 'acp':
      return tryProgram(team, { setting, root: setting.root, signal });
  }
}

function tryRecording(
  { recording }: Extract<RoleTeam, { driver: 'recorded' }>,
  demos: string,
): Pick<AgentTrial, 'ok' | 'detail'> {
  if (recording === undefined) return { ok: true, detail: 'plays a recording that the requirement chooses' };
  const found = findRecording(demos, { recording, requirement: '' });
  if (found.kind === 'failed') return { ok: false, detail: found.detail };
  return { ok: true, detail: `plays the recording ${recording}` };
}
