import type { ProjectState } from './project-state.ts';

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

/** The integration rounds, where a repair would need one more than are allowed. */
export function exceededRounds(
  state: Pick<ProjectState, 'settings' | 'round' | 'granted' | 'stage'>,
): Exceeded | undefined {
  const limit = state.settings.integration_rounds;
  const used = state.round - state.granted.rounds;
  if (state.stage.kind !== 'repair' || used < limit) return undefined;
  return { budget: 'integration_rounds', limit, spent: used };
}
