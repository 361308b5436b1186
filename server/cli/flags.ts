import { DevLoopError } from '../domain/errors.ts';

/** One flag of a command: how it is written, what it is for, and how its value is read. */
export interface Flag<T> {
  /** As commander takes it: `--limit <n>`, `-m, --message <text>`. */
  readonly syntax: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** May come several times. */
  readonly repeats?: true;
  readonly read: (raw: unknown) => T;
}

export type Flags = Readonly<Record<string, Flag<unknown>>>;
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

/** One argument of a command; its name is shown in help. */
export interface Arg {
  readonly description: string;
  readonly optional?: true;
  /** Takes all words that are left; the last argument only. */
  readonly rest?: true;
}
export type Args = Readonly<Record<string, Arg>>;
export type ArgValues<A extends Args> = {
  readonly [K in keyof A]: A[K] extends { readonly rest: true }
    ? readonly string[]
    : A[K] extends { readonly optional: true }
      ? string | undefined
      : string;
};

export const flag = {
  on: (syntax: string, description: string): Flag<boolean> => ({ syntax, description, read: (raw) => raw === true }),
  /** A flag `--no-…`: true unless it is given. */
  off: (syntax: string, description: string): Flag<boolean> => ({ syntax, description, read: (raw) => raw !== false }),
  text: (syntax: string, description: string): Flag<string | undefined> => ({ syntax, description, read: asText }),
  number: (syntax: string, description: string): Flag<number | undefined> => ({
    syntax,
    description,
    read: (raw) => {
      const text = asText(raw);
      if (text === undefined) return undefined;
      if (/^\d{1,9}$/.test(text)) return Number(text);
      throw new DevLoopError('bad_request', `${syntax} takes a whole number, not ${JSON.stringify(text)}.`);
    },
  }),
  choice: <const T extends string>(
    syntax: string,
    description: string,
    choices: readonly T[],
  ): Flag<T | undefined> => ({
    syntax,
    description,
    choices,
    read: (raw) => choices.find((choice) => choice === raw),
  }),
  list: (syntax: string, description: string): Flag<readonly string[]> => ({
    syntax,
    description,
    repeats: true,
    read: (raw) => (Array.isArray(raw) ? raw.map(String) : []),
  }),
};

const asText = (raw: unknown): string | undefined => (typeof raw === 'string' ? raw : undefined);

/** Flags that every command takes. */
export const COMMON_FLAGS: readonly (readonly [syntax: string, description: string])[] = [
  ['--data <dir>', 'data folder (DEVLOOP_DATA_DIR, else ./data)'],
  ['--json', 'give data out as JSON; streams as one object a line'],
  ['-y, --yes', 'answer every question with yes'],
  ['--no-input', 'ask nothing; what would need an answer fails'],
  ['--sandbox <mode>', 'how programs of agents are confined: auto, required or off'],
  ['--log-level <level>', 'what is logged: debug, info, warn, error or silent'],
];

/** The project that most commands are about. */
export const PID = { description: "the project's id" } satisfies Arg;
