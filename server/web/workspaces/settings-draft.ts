import type { Workspace } from '../api/types.ts';

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

/** What of a draft differs from the one before, as the request: what another page has set meanwhile stays as it is. */
export function changesOf(before: SettingsDraft, draft: SettingsDraft): Readonly<Record<string, unknown>> {
  const [old, fresh] = [settingsOf(before), settingsOf(draft)].map(Object.entries);
  const known = new Map(old);
  return Object.fromEntries(
    fresh?.filter(([name, value]) => JSON.stringify(known.get(name)) !== JSON.stringify(value)) ?? [],
  );
}

/** The draft as the request: a number that was left empty goes back to its default; what is no number goes as it is, for the server to refuse. */
export function settingsOf(draft: SettingsDraft): Readonly<Record<string, unknown>> {
  const number = (text: string) => (text.trim() === '' ? null : numberOrText(text.trim()));
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

const numberOrText = (text: string): number | string => (Number.isNaN(Number(text)) ? text : Number(text));

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
