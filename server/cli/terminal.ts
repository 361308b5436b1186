import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import { DevLoopError } from '../domain/errors.ts';

export type Style = Parameters<typeof styleText>[0];

/** Where a command's data, progress and questions go. */
export interface Terminal {
  /** Data, to stdout. Resolves when it is taken. */
  out(text: string | Uint8Array): Promise<void>;
  /** A line of progress or help, to stderr. */
  note(line: string): void;
  /** Colours the text where stdout is a terminal. */
  paint(style: Style, text: string): string;
  /** True where a person can answer. */
  readonly interactive: boolean;
  /** Asks a yes-or-no question on stderr. Throws bad_request where nobody can answer. */
  confirm(question: string, answers: { readonly yes: boolean }): Promise<boolean>;
}

export interface TerminalOptions {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False with --no-input. */
  readonly input: boolean;
}

/** What can end a line's own place or steer a terminal; text of agents and users has none of it when it is printed. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

export function createTerminal({ stdin, stdout, stderr, env, input }: TerminalOptions): Terminal {
  const colours = stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  const interactive = input && stdin.isTTY === true && stderr.isTTY === true;
  return {
    interactive,
    out: (text) =>
      new Promise((resolve, reject) => {
        stdout.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    note: (line) => {
      stderr.write(`${line}\n`);
    },
    paint: (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text),
    confirm: async (question, { yes }) => {
      if (yes) return true;
      if (!interactive) {
        throw new DevLoopError('bad_request', `${question} Nobody can answer here.`, {
          hint: 'Add --yes to go ahead.',
        });
      }
      const lines = createInterface({ input: stdin, output: stderr });
      try {
        return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
      } finally {
        lines.close();
      }
    },
  };
}

/** Text from elsewhere on one line, without what a terminal would obey. */
export function plain(text: string): string {
  return text.replace(/\r\n|[\n\t]/g, ' ').replace(CONTROL, '\ufffd');
}

/** The same for several lines. */
export function plainLines(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map(plain)
    .join('\n');
}
