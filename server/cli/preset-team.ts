import { DevLoopError } from '../domain/errors.ts';
import type { TeamInput } from '../domain/team-presets.ts';
import { withoutUndefined } from '../domain/without-undefined.ts';

/**
 * The team that `--preset NAME` and `--preset ROLE=NAME` ask for; whoever parses it checks the names. The address goes to the
 * preset that takes one. @throws DevLoopError bad_request where no preset serves the other roles.
 */
export function presetTeam(
  presets: readonly string[],
  wishes: { readonly model?: string | undefined; readonly base_url?: string | undefined },
): TeamInput {
  const entries = presets.map((text) => {
    const [, role, preset = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
    const { model, base_url } = wishes;
    return { role, team: withoutUndefined({ preset, model, base_url: preset === 'openai' ? base_url : undefined }) };
  });
  const rest = entries.find(({ role }) => role === undefined);
  if (rest === undefined)
    throw new DevLoopError('bad_request', 'The other roles need a preset too: --preset NAME without a role.');
  const roles = entries.filter(({ role }) => role !== undefined).map(({ role, team }) => [role, team]);
  return { default: rest.team, ...(roles.length > 0 && { roles: Object.fromEntries(roles) }) } as TeamInput;
}
