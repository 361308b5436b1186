import type { Workspace, WorkspaceSettings } from '../api/types.ts';

const TICKS = ['gitignore', 'nested_history', 'nested_stash', 'nested_remotes'] as const;
const NUMBERS = ['max_turns', 'max_age_days', 'max_bytes', 'large_file_bytes'] as const;

/** A workspace's settings as a form has them: patterns one a line, and numbers as they are typed. */
export type SettingsDraft = {
  readonly exclude: string;
  readonly include: string;
  readonly recipients: string;
} & { readonly [name in (typeof TICKS)[number]]: boolean } & {
  readonly [name in (typeof NUMBERS)[number]]: string;
};

export function draftOf({ exclude, include, history_recipients = [], ...rest }: Workspace['settings']): SettingsDraft {
  const typed = (name: (typeof NUMBERS)[number]): string => String(rest[name] ?? '');
  return {
    gitignore: rest.gitignore,
    nested_history: rest.nested_history === true,
    nested_stash: rest.nested_stash === true,
    nested_remotes: rest.nested_remotes === true,
    recipients: history_recipients.join('\n'),
    exclude: exclude.join('\n'),
    include: include.join('\n'),
    max_turns: typed('max_turns'),
    max_age_days: typed('max_age_days'),
    max_bytes: typed('max_bytes'),
    large_file_bytes: typed('large_file_bytes'),
  };
}

/** The draft as the request: a number that was left empty goes back to its default. */
export function settingsOf(draft: SettingsDraft): NonNullable<WorkspaceSettings> {
  const number = (text: string): number | null => (text.trim() === '' ? null : Number(text));
  return {
    gitignore: draft.gitignore,
    nested_history: draft.nested_history,
    nested_stash: draft.nested_stash,
    nested_remotes: draft.nested_remotes,
    history_recipients: draft.recipients.trim() === '' ? null : linesOf(draft.recipients),
    exclude: linesOf(draft.exclude),
    include: linesOf(draft.include),
    max_turns: number(draft.max_turns),
    max_age_days: number(draft.max_age_days),
    max_bytes: number(draft.max_bytes),
    large_file_bytes: number(draft.large_file_bytes),
  };
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
