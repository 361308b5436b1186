import type { Config, Origin } from './load-config.ts';
import type { Setting } from './setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';

/** A setting as `config show` prints it. */
export interface ShownSetting {
  readonly name: SettingName;
  /** Absent where it has none; `(set)` for a secret. */
  readonly value?: unknown;
  readonly origin: Origin;
  readonly env: string;
  readonly flag?: string;
  readonly doc: string;
}

/** Lists all settings with their values and where they came from; secrets are not shown. */
export function shownConfig({ settings, origin }: Config): readonly ShownSetting[] {
  return SETTING_NAMES.map((name) => {
    const { env, flag, doc, secret }: Setting = SETTINGS[name];
    const value = settings[name];
    return {
      name,
      ...(value === undefined ? {} : { value: secret ? '(set)' : value }),
      origin: origin[name],
      env,
      ...(flag === undefined ? {} : { flag }),
      doc,
    };
  });
}
