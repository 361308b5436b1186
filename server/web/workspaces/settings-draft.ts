import type { Workspace, WorkspaceSettings } from '../api/types.ts';

const NUMBERS = ['max_turns', 'max_age_days', 'max_bytes', 'large_file_bytes'] as const;

/** A workspace's settings as a form has them: patterns one a line, and numbers as they are typed. */
export type SettingsDraft = { readonly gitignore: boolean; readonly exclude: string; readonly include: string } & {
  readonly [name in (typeof NUMBERS)[number]]: string;
};

export function draftOf({ gitignore, exclude, include, ...numbers }: Workspace['settings']): SettingsDraft {
  const typed = (name: (typeof NUMBERS)[number]): string => String(numbers[name] ?? '');
  return {
    gitignore,
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
    exclude: linesOf(draft.exclude),
    include: linesOf(draft.include),
    max_turns: number(draft.max_turns),
    max_age_days: number(draft.max_age_days),
    max_bytes: number(draft.max_bytes),
    large_file_bytes: number(draft.large_file_bytes),
  };
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
