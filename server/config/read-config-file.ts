import { readFileSync } from 'node:fs';
import type { Setting } from './setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings.ts';

/** Something that is wrong with a setting, and where it was found. */
export interface Fault {
  /** Name of the setting, or the file where it is none. */
  readonly setting: string;
  /** The flag, the environment variable or the file. */
  readonly where: string;
  readonly message: string;
}

export interface ConfigFile {
  readonly values: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly faults: readonly Fault[];
}

const LIMIT = 1_000_000;

/** Reads a file of settings, one JSON object; absent is empty. `inWorkFolder` where somebody else may have written it. */
export function readConfigFile(path: string, { inWorkFolder }: { readonly inWorkFolder: boolean }): ConfigFile {
  const fault = (message: string, setting = path): Fault => ({ setting, where: path, message });
  const parsed = parseFile(path);
  if (parsed === undefined) return { values: {}, faults: [] };
  if (typeof parsed === 'string') return { values: {}, faults: [fault(parsed)] };
  const faults: Fault[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const [key, value] of Object.entries(parsed)) {
    const name = SETTING_NAMES.find((known) => known === key);
    if (name === undefined) faults.push(fault('is not a setting', key));
    else if ((SETTINGS[name] as Setting).environmentOnly) faults.push(fault(ENVIRONMENT_ONLY, key));
    else if (inWorkFolder && (SETTINGS[name] as Setting).personal) faults.push(fault(PERSONAL, key));
    else values[name] = value;
  }
  return { values, faults };
}

const ENVIRONMENT_ONLY = 'may be set by the environment only';
const PERSONAL = 'may be set by flag, environment or your own config file only, as this folder can be an agent’s';

/** @returns what is wrong as text; undefined where there is no file. */
function parseFile(path: string): object | string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > LIMIT) return `is larger than ${LIMIT} characters`;
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : 'is not a JSON object';
  } catch (error) {
    if (error instanceof SyntaxError) return `is not JSON: ${error.message}`;
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code !== undefined) return `cannot be read: ${code}`;
    throw error;
  }
}
