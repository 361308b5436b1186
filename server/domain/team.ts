import { z } from 'zod';
import { ROLES, type Role } from './roles.ts';

/** Name of a variable of the environment. */
export const environmentName = z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/);
const argv = z.array(z.string().min(1).max(4096)).min(1).max(64);

/** US dollars per million tokens; reckoned where an agent tells its tokens and no cost. */
export const priceSchema = z.strictObject({ input: z.number().nonnegative(), output: z.number().nonnegative() });
export type Price = z.infer<typeof priceSchema>;

/** What every agent that is a program has. */
const program = {
  command: argv,
  /** For the record; the program is told its model by its own arguments. */
  model: z.string().min(1).max(200).optional(),
  /** Names of environment variables of the server that the program is given: keys. */
  env: z.array(environmentName).max(50).optional(),
  /** The host's network; else a loopback of its own. Without a sandbox every program has the host's. */
  network: z.boolean().optional(),
  /** `auto` where absent: bubblewrap where the system has it. */
  sandbox: z.enum(['auto', 'required', 'off']).optional(),
  price: priceSchema.optional(),
};

/** Which driver works for a role, and how. Further drivers add their own member here. */
export const roleTeamSchema = z.discriminatedUnion('driver', [
  z.strictObject({
    driver: z.literal('recorded'),
    /** Name of a folder below templates/demo, or an absolute path of a recording; chosen by the requirement where absent. */
    recording: z.string().max(4096).optional(),
  }),
  z.strictObject({
    driver: z.literal('model'),
    base_url: z.url().max(2048),
    model: z.string().min(1).max(200),
    /** Name of the environment variable that holds the key; the key itself is never stored. */
    api_key_env: environmentName.optional(),
    max_turns: z.int().min(1).max(500).optional(),
    temperature: z.number().min(0).max(2).optional(),
    price: priceSchema.optional(),
  }),
  z.strictObject({
    driver: z.literal('command'),
    ...program,
    /** How the program's output is read; `plain` where absent. */
    decoder: z.enum(['plain', 'claude', 'codex', 'gemini']).optional(),
    /** The command that continues a conversation; `{session}` stands for its id. Where absent, the program is told what was said before. */
    continue_with: argv.optional(),
  }),
  z.strictObject({
    driver: z.literal('acp'),
    ...program,
    /** Id of the way to authenticate, where the agent asks for it. */
    auth_method: z.string().min(1).max(200).optional(),
  }),
]);
export type RoleTeam = z.infer<typeof roleTeamSchema>;

/** One entry serves every role that has none of its own. */
export const teamSchema = z.strictObject({
  default: roleTeamSchema,
  roles: z.partialRecord(z.enum(ROLES), roleTeamSchema).optional(),
});
export type Team = z.infer<typeof teamSchema>;

export const DEFAULT_TEAM: Team = { default: { driver: 'recorded' } };

/** Who works for a role. */
export function roleTeam(team: Team, role: Role): RoleTeam {
  return team.roles?.[role] ?? team.default;
}
