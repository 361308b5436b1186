import type { Clock } from './clock.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogData = Readonly<Record<string, unknown>>;

export interface Logger {
  debug(message: string, data?: LogData): void;
  info(message: string, data?: LogData): void;
  warn(message: string, data?: LogData): void;
  error(message: string, data?: LogData): void;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** Takes one line with its newline, such as a write to stderr. */
  readonly write: (line: string) => void;
}

/** Makes a logger that writes a line of JSON `{ts, level, message, …data}` for each call at its level or above; errors in the data become `{name, code?, message, stack}`. */
export function createLogger({ level, clock, write }: LoggerOptions): Logger {
  const at = (own: LogLevel) => {
    if (LOG_LEVELS.indexOf(own) < LOG_LEVELS.indexOf(level)) return () => {};
    return (message: string, data: LogData = {}) =>
      write(`${JSON.stringify({ ts: clock.now().toISOString(), level: own, message, ...data }, plainErrors)}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function plainErrors(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, ...('code' in value ? { code: value.code } : {}), message, stack, ...(cause ? { cause } : {}) };
}
