import { DevLoopError } from '../domain/errors.ts';
import { type WorkspaceSettings, type WorkspaceSettingsInput, workspaceSettingsSchema } from '../domain/point.ts';
import { checkRecipients } from './histories/age.ts';

/** Reads settings whole, and refuses those by which histories could not be saved. Throws `validation_failed`. */
export function parseSettings(given: WorkspaceSettingsInput): WorkspaceSettings {
  const settings = workspaceSettingsSchema.parse(given);
  const { nested_history, history_recipients = [] } = settings;
  checkRecipients(history_recipients);
  if (!nested_history || history_recipients.length > 0) return settings;
  throw new DevLoopError(
    'validation_failed',
    'histories are saved encrypted only, and history_recipients names nobody',
    {
      hint: 'Set history_recipients to a recipient of age; `devloop history --new-key FILE` makes a key.',
    },
  );
}
