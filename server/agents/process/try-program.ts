import { existsSync } from 'node:fs';
import { basename, isAbsolute } from 'node:path';
import { parseCallId, parseProjectId, parseUnitId } from '../../domain/ids.ts';
import { roleScope } from '../../domain/write-scope.ts';
import { runProcess } from '../../io/run-process.ts';
import { findPrograms } from '../../sandbox/index.ts';
import { acpDriver } from '../acp/acp-driver.ts';
import type { AgentCall } from '../driver.ts';
import { type AgentSetting, inAgentPlace, openAgentPlace, type ProgramTeam } from './agent-place.ts';

interface Trial {
  readonly setting: AgentSetting;
  /** Absolute path of an empty folder that stands for a project's. */
  readonly root: string;
  readonly signal: AbortSignal;
}

const HIDDEN = 'the sandbox hides your home but for sandbox_readable';

interface Seen {
  readonly ok: boolean;
  readonly detail: string;
  readonly layers: readonly string[];
}

/** The versions that calls were made with, by program: older ones are not known to work. */
const TRIED: Readonly<Record<string, string>> = { opencode: '1.18.33', codex: '0.171.0', gemini: '0.61.0' };
/** Programs that tell their version and do nothing else when they are asked for it. */
const ASKABLE: ReadonlySet<string> = new Set([...Object.keys(TRIED), 'claude']);

/** Looks for a program, asks a known one for its version where its calls would run, and opens a session where it speaks ACP. */
export async function tryProgram(team: ProgramTeam, trial: Trial): Promise<Seen> {
  const [program = ''] = team.command;
  if (!isThere(program, trial.setting.sandbox.path)) return missing(`${program} is not in PATH`);
  const call = trialCall(team, trial);
  const asked = await inAgentPlace(openAgentPlace(trial.setting, call, team), async (place) => {
    const said = ASKABLE.has(basename(program)) ? await versionOf(program, place) : { ok: true, detail: program };
    await place.close();
    return { kind: 'asked' as const, ...said, layers: place.layers };
  });
  if (asked.kind === 'failed') return missing(asked.detail);
  if (!asked.ok) return missing(asked.detail);
  return team.driver === 'acp' ? trySession(call, { trial, detail: asked.detail }) : asked;
}

function isThere(program: string, path: string): boolean {
  return program.includes('/') ? isAbsolute(program) && existsSync(program) : findPrograms(program, path).length > 0;
}

type Place = Extract<ReturnType<typeof openAgentPlace>, { kind: 'place' }>;

async function versionOf(program: string, place: Place): Promise<{ readonly ok: boolean; readonly detail: string }> {
  const limits = { wall_ms: 20_000, output_bytes: 100_000, grace_ms: 0 };
  const ran = await runProcess({ ...place.request([program, '--version']), limits });
  const said = ran.spawn_error ?? `${ran.stdout}${ran.stderr}`.trim();
  if (ran.exit_code !== 0)
    return { ok: false, detail: `${program} cannot be run where agents run (${HIDDEN}): ${said}` };
  const tried = TRIED[basename(program)];
  const version = /\d+\.\d+\.\d+/.exec(said)?.[0];
  if (tried === undefined || version === undefined || !isOlder(version, tried))
    return { ok: true, detail: `${program}, version ${version ?? said}` };
  return { ok: false, detail: `${program} has version ${version}, the oldest that is known to work is ${tried}` };
}

function isOlder(version: string, than: string): boolean {
  const [have, want] = [version, than].map((text) => text.split('.').map(Number));
  const at = want?.findIndex((part, i) => part !== have?.[i]) ?? -1;
  return at >= 0 && (have?.[at] ?? 0) < (want?.[at] ?? 0);
}

async function trySession(
  call: AgentCall,
  { trial, detail }: { readonly trial: Trial; readonly detail: string },
): Promise<Seen> {
  const session = await acpDriver(trial.setting).start(call);
  if (session.kind === 'failed') {
    return missing(trial.signal.aborted ? `${detail}, opens no session in time` : `${detail}: ${session.detail}`);
  }
  await session.end();
  return { ok: true, detail: `${detail}, opens a session over ACP`, layers: session.about.layers ?? [] };
}

const missing = (detail: string): Seen => ({ ok: false, detail, layers: [] });

/** A coder's call in which nothing is said. */
function trialCall(team: ProgramTeam, { root, signal }: Trial): AgentCall {
  const [call, unit] = [parseCallId('call-trial'), parseUnitId('trial')];
  const limits = { wall_ms: 30_000, idle_ms: 30_000, output_bytes: 1_000_000, write_bytes: 1_000_000 };
  const about = { round: 1, attempt: 1, unit };
  return {
    role: 'coder',
    input: { role: 'coder', title: 'a trial', ...about },
    context: {
      pid: parseProjectId('p-trialtri'),
      call,
      root,
      team,
      scope: roleScope('coder', { call, unit }),
      limits,
      ...about,
      requirement: 'a trial',
      signal,
      onOutput: () => {},
    },
    system: '',
    signal,
    progress: {
      said: () => {},
      note: () => {},
      heard: () => {},
      wrote: () => {},
      spent: () => {},
      working: (work) => work(),
    },
  };
}
