import { PointPage } from './point-page.tsx';
import { ProtectionPage } from './protection-page.tsx';
import { RestorePage } from './restore-page.tsx';
import { SettingsPage } from './settings-page.tsx';
import { TimeLine } from './time-line.tsx';

/** The views of a workspace, by their name in the address. */
export const FOLDER_VIEWS = {
  points: TimeLine,
  protection: ProtectionPage,
  settings: SettingsPage,
  point: PointPage,
  restore: RestorePage,
} as const;
export type FolderViewName = keyof typeof FOLDER_VIEWS;

/** Those that have a tab. */
export const FOLDER_TABS = ['points', 'protection', 'settings'] as const;
