import { dirname, join } from 'node:path';
import { type Fault, readConfigFile } from './read-config-file.ts';
import { type Setting, type Source, valueOfText } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';
import { configFolder, type Env } from './xdg.ts';

export interface ConfigInput {
  /** What the command line gave, as text or as a value already. */
  readonly flags: Readonly<Partial<Record<SettingName, unknown>>>;
  readonly env: Env;
  /** Absolute path of the folder that devloop was called in. */
  readonly cwd: string;
}

/** A value as somebody set it. */
export interface FoundValue {
  readonly value: unknown;
  readonly source: Source;
  /** The flag, the variable or the file. */
  readonly where: string;
  /** What a relative path is relative to. */
  readonly base: string;
}

export interface FoundValues {
  /** The strongest value of a setting that somebody set. */
  readonly find: (name: SettingName) => FoundValue | undefined;
  /** What is wrong with the files. */
  readonly faults: readonly Fault[];
}

/** Looks into flags, environment, the folder's `.devlooprc.json` and the person's own config file. */
export function findValues({ flags, env, cwd }: ConfigInput): FoundValues {
  const files = [
    { source: 'project_file', path: join(cwd, '.devlooprc.json') },
    { source: 'user_file', path: join(configFolder(env), 'config.json') },
  ] as const;
  const read = files.map(({ source, path }) => {
    const { values, faults } = readConfigFile(path, { inWorkFolder: source === 'project_file' });
    return { source, where: path, base: dirname(path), values, faults };
  });
  return {
    faults: read.flatMap(({ faults }) => faults),
    find: (name) => {
      const { env: variable, flag, form } = SETTINGS[name] as Setting;
      const text = env[variable];
      const set = (value: unknown) => (typeof value === 'string' ? valueOfText(form, value) : value);
      if (flags[name] !== undefined) return { source: 'flag', where: flag ?? name, base: cwd, value: set(flags[name]) };
      if (text !== undefined && text !== '') return { source: 'env', where: variable, base: cwd, value: set(text) };
      const file = read.find(({ values }) => values[name] !== undefined);
      return file && { source: file.source, where: file.where, base: file.base, value: file.values[name] };
    },
  };
}
