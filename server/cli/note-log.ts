import type { AppOptions } from '../app.ts';

type Log = AppOptions['log'];

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** The log of a server in this process, as lines among the progress; texts of errors only, without their stacks, but for debug. */
export function noteLog(level: string, note: (line: string) => void): Log {
  const least = level === 'silent' ? LEVELS.length : (LEVELS as readonly string[]).indexOf(level);
  const at =
    (own: (typeof LEVELS)[number]) =>
    (message: string, data: Readonly<Record<string, unknown>> = {}) => {
      if (LEVELS.indexOf(own) >= least) note(`${own}: ${message}${detailOf(data, least === 0)}`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function detailOf(data: Readonly<Record<string, unknown>>, stacks: boolean): string {
  const { error, ...rest } = data;
  const facts = Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`;
  if (!(error instanceof Error)) return facts;
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${facts}: ${stacks ? error.stack : error.message}${cause}`;
}
