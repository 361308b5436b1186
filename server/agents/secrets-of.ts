import type { RoleTeam } from '../domain/team.ts';

/** The values that a team's calls must never show. @param secret reads a key by the name of its environment variable. */
export function secretsOf(team: RoleTeam, secret: (name: string) => string | undefined): readonly string[] {
  return namesOf(team)
    .map(secret)
    .filter((value) => value !== undefined);
}

function namesOf(team: RoleTeam): readonly string[] {
  switch (team.driver) {
    case 'recorded':
      return [];
    case 'model':
      return team.api_key_env === undefined ? [] : [team.api_key_env];
    case 'command':
    case 'acp':
      return team.env ?? [];
  }
}
