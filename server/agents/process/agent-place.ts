import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isDevLoopError } from '../../domain/errors.ts';
import type { RoleTeam } from '../../domain/team.ts';
import type { ProcessRequest } from '../../io/process-request.ts';
import { removeTree } from '../../io/remove-tree.ts';
import { callEnvironment, type ProcessRecord, type Sandbox } from '../../sandbox/index.ts';
import { type AgentCall, type CallFailure, failure } from '../driver.ts';
import { scopeBounds } from './scope-bounds.ts';

/** What all agents that are programs share; the app makes it once. */
export interface AgentSetting {
  readonly sandbox: Sandbox;
  /** Absolute path of a folder for the calls' temporary homes. */
  readonly tmp: string;
  /** Where the processes started for a project are noted, by the project's folder. */
  readonly processes: (root: string) => ProcessRecord;
  readonly secret: (name: string) => string | undefined;
}

/** How a team wants its program to be held. */
export type ProgramTeam = Extract<RoleTeam, { readonly driver: 'command' | 'acp' }>;

/** Where one call's program runs. */
export interface AgentPlace {
  readonly kind: 'place';
  readonly layers: readonly string[];
  /** The project's folder without links, as the program sees it. */
  readonly root: string;
  /** The call's own folder for what is temporary; the program's home is in it. */
  readonly folder: string;
  /** Where the program may leave its result; absolute. */
  readonly result_file: string;
  request(argv: readonly string[]): Pick<ProcessRequest, 'argv' | 'cwd' | 'env' | 'marker' | 'onStart'>;
  /** To be called when nothing of the call runs any more. */
  close(): Promise<void>;
}

/** Files below a project's folder that are no business of its agents. */
const HIDDEN = ['.git', 'timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson', 'stream.log'];

/** Makes the temporary folders of a call, its environment and its bounds, and notes its marker before anything is started. */
export function openAgentPlace(setting: AgentSetting, call: AgentCall, team: ProgramTeam): AgentPlace | CallFailure {
  const { sandbox } = setting;
  const env = environmentOf(setting, team);
  if (env.kind === 'failed') return env;
  if (team.sandbox === 'required' && !sandbox.layers.includes('bubblewrap'))
    return failure('not_started', `the team requires the sandbox: ${sandbox.why_not ?? 'it is not there'}`);
  const root = realpathSync(call.context.root);
  const folder = realpathSync(mkdtempSync(join(setting.tmp, 'devloop-agent-')));
  const [home, tmp] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const path of [home, tmp]) mkdirSync(path);
  const noted = setting
    .processes(call.context.root)
    .open({ call: call.context.call, marker: randomBytes(16).toString('hex') });
  const confine = (argv: readonly string[]): readonly string[] => {
    if (team.sandbox === 'off') return argv;
    const bounds = scopeBounds(root, call.context.scope);
    const writable = [...bounds.writable, folder];
    const hidden = HIDDEN.map((name) => join(root, name));
    return sandbox.confine({
      argv,
      cwd: root,
      root,
      writable,
      protected: bounds.protected,
      hidden,
      network: team.network ? 'host' : 'own',
    });
  };
  return {
    kind: 'place',
    layers: team.sandbox === 'off' ? sandbox.layers.filter((layer) => layer !== 'bubblewrap') : sandbox.layers,
    root,
    folder,
    result_file: join(root, 'agent-state', 'calls', call.context.call, 'out', 'result.json'),
    request: (argv) => ({
      argv: confine(argv),
      cwd: root,
      env: callEnvironment({ shim: sandbox.shim, path: sandbox.path, home, tmp }, env.values),
      marker: noted.marker,
      onStart: noted.started,
    }),
    close: async () => {
      noted.close();
      await removeTree(folder);
    },
  };
}

/** Opens a place and uses it; a bound that cannot be had is a call that did not start. */
export async function inAgentPlace<Used>(
  place: AgentPlace | CallFailure,
  use: (place: AgentPlace) => Promise<Used | CallFailure>,
): Promise<Used | CallFailure> {
  if (place.kind === 'failed') return place;
  try {
    return await use(place);
  } catch (error) {
    await place.close();
    if (isDevLoopError(error, 'path_refused')) return failure('not_started', error.message);
    throw error;
  }
}

function environmentOf(
  { secret }: AgentSetting,
  { env = [] }: ProgramTeam,
): { readonly kind: 'values'; readonly values: Readonly<Record<string, string>> } | CallFailure {
  const values: Record<string, string> = {};
  for (const name of env) {
    const value = secret(name);
    if (value === undefined)
      return failure('not_started', `the environment variable ${name}, which the team names, is not set`);
    values[name] = value;
  }
  return { kind: 'values', values };
}
