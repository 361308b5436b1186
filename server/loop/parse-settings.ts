import { DevLoopError } from '../domain/errors.ts';
import { type Settings, type SettingsInput, settingsSchema } from '../domain/project.ts';

/**
 * Fills a project's settings up with their defaults. Throws validation_failed.
 * @param policy what the server does with dirty files after a crash where the project does not say
 */
export function parseSettings(
  input: SettingsInput | undefined,
  policy: Settings['recovery']['policy'] = 'ask',
): Settings {
  const parsed = settingsSchema.safeParse({ ...input, recovery: { policy, ...input?.recovery } });
  if (parsed.success) return parsed.data;
  throw new DevLoopError('validation_failed', 'the settings do not fit', { data: { issues: parsed.error.issues } });
}
