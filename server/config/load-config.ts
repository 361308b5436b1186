import { resolve } from 'node:path';
import { DevLoopError } from '../domain/errors.ts';
import { type ConfigInput, type FoundValue, findValues } from './find-values.ts';
import type { Fault } from './read-config-file.ts';
import type { Setting, Source } from './setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName, type Settings } from './settings.ts';
import { stateFolder } from './xdg.ts';

/** Where a value came from. */
export interface Origin {
  readonly source: Source | 'default';
  /** The flag, the variable or the file. */
  readonly where?: string;
}

export interface Config {
  readonly settings: Settings;
  readonly origin: Readonly<Record<SettingName, Origin>>;
}

/**
 * Takes each setting from the strongest of flags, environment, `.devlooprc.json` in the folder, the person's own config file,
 * and its default. Relative paths are relative to the folder, in the person's file to that file.
 * @throws DevLoopError config_invalid with `data.faults`: all that is wrong, at once.
 */
export function loadConfig(input: ConfigInput): Config {
  const { find, faults: fileFaults } = findValues(input);
  const faults = [...fileFaults];
  const settings: Partial<Record<SettingName, unknown>> = {};
  const origin: Partial<Record<SettingName, Origin>> = {};
  for (const name of SETTING_NAMES) {
    const found = find(name);
    origin[name] = found === undefined ? { source: 'default' } : { source: found.source, where: found.where };
    const value = found === undefined ? defaultOf(name, input) : checked(name, { found, faults });
    if (value !== undefined) settings[name] = value;
  }
  if (faults.length > 0) throw invalid(faults);
  return { settings: settings as unknown as Settings, origin: origin as Readonly<Record<SettingName, Origin>> };
}

function defaultOf(name: SettingName, { env, cwd }: ConfigInput): unknown {
  if (name === 'state_dir') return stateFolder(env);
  const { default: value, form }: Setting = SETTINGS[name];
  return form === 'path' && typeof value === 'string' ? resolve(cwd, value) : value;
}

/** @returns the value as the schema makes it; undefined, and faults added, where it does not fit. */
function checked(
  name: SettingName,
  { found, faults }: { readonly found: FoundValue; readonly faults: Fault[] },
): unknown {
  const { schema, form }: Setting = SETTINGS[name];
  const result = schema.safeParse(found.value);
  if (result.success) return form === 'path' ? resolve(found.base, String(result.data)) : result.data;
  for (const { path, message } of result.error.issues)
    faults.push({ setting: [name, ...path].join('.'), where: found.where, message });
  return undefined;
}

function invalid(faults: readonly Fault[]): DevLoopError {
  const list = faults.map(({ setting, where, message }) =>
    setting === where ? `${where} ${message}` : `${setting} (${where}): ${message}`,
  );
  const count = faults.length === 1 ? 'a setting is not valid' : `${faults.length} settings are not valid`;
  return new DevLoopError('config_invalid', `${count}: ${list.join('; ')}`, {
    data: { faults },
    hint: 'docs/config.md lists the settings and what they take.',
  });
}
