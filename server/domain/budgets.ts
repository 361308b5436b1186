import type { CallState, ProjectState } from './project-state.ts';
import { ROLES, type Role } from './roles.ts';
import { type RoleTeam, roleTeam, type Team } from './team.ts';

/** A budget that ran out. */
export interface Exceeded {
  readonly budget: 'tokens' | 'cost' | 'integration_rounds' | 'attempts';
  readonly limit: number;
  readonly spent: number;
}

/** The budget of tokens or money that is used up since a person last let the project go on; undefined where there is room. */
export function exceededBudget(state: Pick<ProjectState, 'settings' | 'spent' | 'granted'>): Exceeded | undefined {
  const { settings, spent, granted } = state;
  const { tokens, cost } = settings.budget;
  if (tokens !== undefined && spent.tokens - granted.tokens >= tokens) {
    return { budget: 'tokens', limit: tokens, spent: spent.tokens };
  }
  if (cost !== undefined && spent.cost - granted.cost >= cost)
    return { budget: 'cost', limit: cost, spent: spent.cost };
  return undefined;
}

/**
 * Why a budget of money cannot be held, where no budget of tokens bounds the project instead: an agent that cannot tell its cost,
 * or one that has worked and told none. A person that lets the project go on all the same has been told.
 */
export function unheldBudget(state: Pick<ProjectState, 'settings' | 'team' | 'calls' | 'granted'>): string | undefined {
  const { settings, team, calls, granted } = state;
  const { tokens, cost } = settings.budget;
  if (cost === undefined || tokens !== undefined || granted.unpriced) return undefined;
  const who = roleWithoutPrice(team) ?? calls.find(isUnpriced)?.role;
  if (who === undefined) return undefined;
  const { driver } = roleTeam(team, who);
  return `the budget of cost cannot be held: the ${driver} agent of the ${who} tells no cost and has no known price; set its price, or a budget of tokens`;
}

/** A role whose agent is known never to tell a cost. */
function roleWithoutPrice(team: Team): Role | undefined {
  return ROLES.find((role) => neverTellsCost(roleTeam(team, role)));
}

function neverTellsCost(team: RoleTeam): boolean {
  switch (team.driver) {
    case 'recorded':
    case 'acp':
      return false;
    case 'model':
      return team.price === undefined;
    case 'command':
      return neverByDecoder(team);
  }
}

/** A plain program tells no tokens that a price could be put on. */
function neverByDecoder({ decoder = 'plain', price }: Extract<RoleTeam, { driver: 'command' }>): boolean {
  return decoder === 'plain' || (decoder !== 'claude' && price === undefined);
}

/** A replayed call costs nothing. One that failed before it told anything may have cost nothing. */
function isUnpriced({ status, driver, record }: CallState): boolean {
  if (record === undefined || driver === 'recorded' || record.usage.cost !== undefined) return false;
  return status === 'done' || record.usage.input_tokens !== undefined || record.usage.output_tokens !== undefined;
}

/** The integration rounds, where a repair would need one more than are allowed. */
export function exceededRounds(
  state: Pick<ProjectState, 'settings' | 'round' | 'granted' | 'stage'>,
): Exceeded | undefined {
  const limit = state.settings.integration_rounds;
  const used = state.round - state.granted.rounds;
  if (state.stage.kind !== 'repair' || used < limit) return undefined;
  return { budget: 'integration_rounds', limit, spent: used };
}
