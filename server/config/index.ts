/** The entry of config/: settings, where they come from, and the token. */
export type { ConfigInput } from './find-values.ts';
export { type Config, loadConfig } from './load-config.ts';
export { processConfig } from './process-config.ts';
export { SETTING_NAMES, SETTINGS, type SettingName, type Settings } from './settings.ts';
export { type ShownSetting, shownConfig } from './shown-config.ts';
export { readOrMakeToken, tokenFile } from './token-file.ts';
export { withoutCredentials } from './without-credentials.ts';
