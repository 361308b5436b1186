import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

export type Env = Readonly<Record<string, string | undefined>>;

/** The person's folder for config files of this program, as the XDG base directory specification says. */
export function configFolder(env: Env): string {
  return join(base(env, 'XDG_CONFIG_HOME', '.config'), 'devloop');
}

/** The person's folder for what this program keeps. */
export function stateFolder(env: Env): string {
  return join(base(env, 'XDG_STATE_HOME', '.local/state'), 'devloop');
}

/** A relative path in the variable counts as unset, by the specification. */
function base(env: Env, variable: string, fallback: string): string {
  const value = env[variable];
  return value !== undefined && isAbsolute(value) ? value : join(env.HOME || homedir(), fallback);
}
