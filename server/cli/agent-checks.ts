import { isDevLoopError } from '../domain/errors.ts';
import { ROLES } from '../domain/roles.ts';
import type { CommandContext } from './command.ts';

/** A line of `devloop doctor`. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** One line for each kind of agent: who it serves, what was seen of it, what would hold it. */
export async function agentChecks(tryTeam: CommandContext['tryTeam']): Promise<readonly Check[]> {
  try {
    return (await tryTeam()).map(({ roles, driver, ok, detail, layers }) => {
      const whom = roles.length === ROLES.length ? 'all roles' : roles.join(', ');
      const held = ok ? `; layers: ${layers.join(', ')}` : '';
      return { name: 'agent', ok, detail: `${driver}, ${whom}: ${detail}${held}` };
    });
  } catch (error) {
    if (!isDevLoopError(error, 'config_invalid')) throw error;
    return [{ name: 'agent', ok: false, detail: error.message }];
  }
}
