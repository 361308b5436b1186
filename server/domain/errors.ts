/** Every code that a caller may meet; docs/errors.md lists them with HTTP and exit status. */
export const ERROR_CODES = [
  'already_running',
  'bad_request',
  'bad_state',
  'body_too_large',
  'bucket_refused',
  'bucket_unreachable',
  'budget_exceeded',
  'busy',
  'config_invalid',
  'conflict',
  'data_folder_owned',
  'disk_full',
  'findings_open',
  'forbidden',
  'git_failed',
  'host_refused',
  'internal',
  'journal_damaged',
  'ledger_damaged',
  'method_not_allowed',
  'not_found',
  'nothing_to_commit',
  'nothing_to_restore',
  'object_missing',
  'origin_refused',
  'path_refused',
  'permission_denied',
  'plan_stale',
  'point_incomplete',
  'point_not_found',
  'post_turn_in_place',
  'precondition_failed',
  'project_not_found',
  'read_only',
  'recovery_pending',
  'ref_invalid',
  'ref_moved',
  'ref_not_found',
  'remote_refused',
  'replay_diverged',
  'restore_pending',
  'run_not_found',
  'scope_violation',
  'store_damaged',
  'tag_exists',
  'timeout',
  'too_many_requests',
  'unauthorized',
  'unit_not_found',
  'unsupported_media_type',
  'validation_failed',
  'vault_busy',
  'vault_damaged',
  'vault_tampered',
  'workspace_not_found',
  'workspace_refused',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export interface ErrorDetails {
  readonly data?: Readonly<Record<string, unknown>>;
  /** What the reader can do next. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The one error class: a stable code, a factual sentence, and the data behind it. */
export class DevLoopError extends Error {
  readonly code: ErrorCode;
  readonly data: Readonly<Record<string, unknown>>;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'DevLoopError';
    this.code = code;
    this.data = details.data ?? {};
    this.hint = details.hint;
  }
}

/** Tells whether a caught value is a DevLoopError, of one of the given codes where any are given. */
export function isDevLoopError(value: unknown, ...codes: readonly ErrorCode[]): value is DevLoopError {
  return value instanceof DevLoopError && (codes.length === 0 || codes.includes(value.code));
}

/** Ends an exhaustive switch over a union. */
export function unreachable(value: never): never {
  throw new DevLoopError('internal', `unexpected value ${JSON.stringify(value)}`);
}
