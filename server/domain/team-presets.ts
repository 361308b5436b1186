import { z } from 'zod';
import { ROLES } from './roles.ts';
import { environmentName, priceSchema, type RoleTeam, roleTeamSchema } from './team.ts';

/** Known agents by name: without a suffix over the Agent Client Protocol, `-command` as a program, `openai` any compatible endpoint. */
export const PRESETS = [
  'opencode',
  'opencode-command',
  'gemini',
  'gemini-command',
  'codex',
  'codex-command',
  'claude',
  'claude-command',
  'openai',
] as const;
export type Preset = (typeof PRESETS)[number];

/** A preset, and what a person wants otherwise. What does not belong to its driver is refused where it is expanded. */
const presetSchema = z.strictObject({
  driver: z.literal('preset').optional(),
  preset: z.enum(PRESETS),
  model: z.string().min(1).max(200).optional(),
  /** In place of the preset's: which variables of the server's environment the program is given. */
  env: z.array(environmentName).max(50).optional(),
  sandbox: z.enum(['auto', 'required', 'off']).optional(),
  network: z.boolean().optional(),
  price: priceSchema.optional(),
  base_url: z.url().max(2048).optional(),
  api_key_env: environmentName.optional(),
  auth_method: z.string().min(1).max(200).optional(),
});
export type PresetInput = z.infer<typeof presetSchema>;

/** A role's entry as a person writes it: a driver with all its settings, or a preset. */
const roleTeamInput = z.discriminatedUnion('driver', [
  ...roleTeamSchema.options,
  presetSchema.transform(expandPreset).pipe(roleTeamSchema),
]);

/** A team as a person writes it; parsing it gives one without presets. */
export const teamInputSchema = z.strictObject({
  default: roleTeamInput,
  roles: z.partialRecord(z.enum(ROLES), roleTeamInput).optional(),
});
export type TeamInput = z.input<typeof teamInputSchema>;

/** The settings that a preset stands for. The programs ask nobody before they act, so that the sandbox is required unless a person says otherwise. */
export function expandPreset({ driver: _driver, preset, ...wishes }: PresetInput): unknown {
  return { ...settingsOf(preset, wishes.model), ...wishes };
}

function settingsOf(preset: Preset, model: string | undefined): Partial<RoleTeam> {
  if (preset === 'openai') return { driver: 'model', api_key_env: 'OPENAI_API_KEY' };
  const { settings, env } = programOf(preset, (flag) => (model === undefined ? [] : [flag, model]));
  return { ...settings, env: [env], network: true, sandbox: 'required' };
}

type Program = Pick<Extract<RoleTeam, { driver: 'acp' }>, 'driver' | 'command' | 'auth_method'>;
type Command = Pick<Extract<RoleTeam, { driver: 'command' }>, 'driver' | 'command' | 'decoder' | 'continue_with'>;

interface KnownProgram {
  readonly settings: Program | Command;
  /** The variable that holds its key. */
  readonly env: string;
}

/** @param told the arguments that name the model, where one was wished for. */
function programOf(preset: Exclude<Preset, 'openai'>, told: (flag: string) => readonly string[]): KnownProgram {
  const acp = (...command: string[]): Program => ({ driver: 'acp', command });
  switch (preset) {
    case 'opencode':
      return { settings: acp('opencode', 'acp'), env: 'OPENCODE_CONFIG_CONTENT' };
    case 'opencode-command':
      return {
        settings: { driver: 'command', command: ['opencode', 'run', ...told('--model')] },
        env: 'OPENCODE_CONFIG_CONTENT',
      };
    case 'gemini':
      return {
        settings: { ...acp('gemini', '--acp', '--skip-trust', ...told('--model')), auth_method: 'gemini-api-key' },
        env: 'GEMINI_API_KEY',
      };
    case 'gemini-command': {
      const flags = ['--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', ...told('--model')];
      return { settings: decoded('gemini', ['gemini', ...flags], ['--resume', '{session}']), env: 'GEMINI_API_KEY' };
    }
    case 'codex':
      return { settings: acp('codex-acp'), env: 'OPENAI_API_KEY' };
    case 'codex-command': {
      const flags = ['--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', ...told('--model')];
      const command = ['codex', 'exec', ...flags];
      const continue_with = [...command, 'resume', '{session}', '-'];
      return { settings: { ...decoded('codex', [...command, '-']), continue_with }, env: 'CODEX_API_KEY' };
    }
    case 'claude':
      return { settings: acp('claude-agent-acp'), env: 'ANTHROPIC_API_KEY' };
    case 'claude-command': {
      const allowed = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash,Edit,Write,Read,Glob,Grep'];
      const flags = ['-p', '--output-format', 'stream-json', '--verbose', ...allowed, ...told('--model')];
      return { settings: decoded('claude', ['claude', ...flags], ['--resume', '{session}']), env: 'ANTHROPIC_API_KEY' };
    }
  }
}

function decoded(decoder: NonNullable<Command['decoder']>, command: string[], resume: readonly string[] = []): Command {
  return { driver: 'command', command, decoder, continue_with: [...command, ...resume] };
}
