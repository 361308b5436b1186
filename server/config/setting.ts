import type { z } from 'zod';

/** Where a setting may come from, strongest first. Defaults come after all of them. */
export type Source = 'flag' | 'env' | 'project_file' | 'user_file';

/** How the text of an environment variable or a flag is read before the schema sees it. */
export type TextForm = 'text' | 'path' | 'number' | 'boolean' | 'lines' | 'json';

/** One setting, with all that is said of it anywhere. */
export interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema;
  /** Absent where `default_text` says what holds without it. */
  readonly default?: z.output<Schema>;
  /** The default as the documentation says it, where it is no plain value. */
  readonly default_text?: string;
  readonly form: TextForm;
  /** The environment variable. */
  readonly env: string;
  /** The command line's flag, where there is one. */
  readonly flag?: string;
  /** One sentence for the documentation and the help. */
  readonly doc: string;
  /** Never shown. */
  readonly secret?: true;
  /** True where no file may set it, and no program that is run for the caller is given it. */
  readonly environmentOnly?: true;
  /** True where a file in the folder that devloop is called in may not set it: that folder can be an agent's. */
  readonly personal?: true;
}

/** Declares a setting without losing the type of its values. */
export function setting<Schema extends z.ZodType>(declared: Setting<Schema>): Setting<Schema> {
  return declared;
}

/** Reads a text in its form. @returns the text itself where it does not have that form: the schema says then what is wrong. */
export function valueOfText(form: TextForm, text: string): unknown {
  switch (form) {
    case 'text':
    case 'path':
      return text;
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
    case 'boolean':
      return ({ true: true, '1': true, false: false, '0': false } as Readonly<Record<string, boolean>>)[text] ?? text;
    case 'lines':
      return text.split('\n').filter((line) => line !== '');
    case 'json':
      return jsonOr(text);
  }
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
