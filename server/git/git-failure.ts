import { DevLoopError, type ErrorCode } from '../domain/errors.ts';

export interface GitEnd {
  /** The command's own arguments, without the overrides. */
  readonly args: readonly string[];
  readonly exit: number | null;
  readonly signal?: string | null;
  readonly stderr: string;
}

/** Turns a git process that failed into an error with a code; git's words are read in the C locale that it runs in. */
export function gitFailure({ args, exit, signal, stderr }: GitEnd): DevLoopError {
  const said = stderr.trim().slice(0, MOST_SAID);
  const how = signal ? `was ended by ${signal}` : `ended with status ${exit}`;
  return new DevLoopError(codeOf(stderr), `git ${args[0] ?? ''} ${how}: ${firstLine(said)}`, {
    data: { command: args[0] ?? '', exit, ...(signal ? { signal } : {}), stderr: said },
  });
}

/** Characters of git's own words that an error carries. */
const MOST_SAID = 2_000;

const SAYINGS: readonly (readonly [RegExp, ErrorCode])[] = [
  [/No space left on device|Disk quota exceeded/, 'disk_full'],
  [/Permission denied|Read-only file system/, 'permission_denied'],
  [
    /is corrupt|corrupt(ed)? (loose )?(object|pack)|inflate: data stream error|bad object|missing (blob|tree|commit|tag|object)|unable to (read|stream|unpack)|could not read|Could not read|hash mismatch|not a valid object|mmap failed|(index file|packfile) \S+ |bad tree|not a tree|broken link|object file .* is empty|invalid object|packed-refs(?!\.lock)/,
    'vault_damaged',
  ],
];

function codeOf(stderr: string): ErrorCode {
  return SAYINGS.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'git_failed';
}

function firstLine(text: string): string {
  return text.split('\n').find((line) => /^(fatal|error):/.test(line)) ?? text.split('\n')[0] ?? '';
}
