import type { ErrorCode } from '../domain/errors.ts';
import type { ProjectStatus } from '../domain/project.ts';

/** Exit statuses of the command line; docs/cli.md says what they mean. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  diverged: 3,
  decision: 4,
  notFound: 5,
  red: 6,
  tryAgain: 75,
  interrupted: 130,
} as const;
export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

const { failed, usage, diverged, decision, notFound, red, tryAgain } = EXIT;

/** Exit status of each error code. */
export const EXIT_OF_CODE: Readonly<Record<ErrorCode, ExitStatus>> = {
  already_running: failed,
  bad_request: usage,
  bad_state: failed,
  body_too_large: usage,
  bucket_refused: failed,
  bucket_unreachable: tryAgain,
  budget_exceeded: red,
  busy: tryAgain,
  config_invalid: usage,
  conflict: failed,
  data_folder_owned: tryAgain,
  disk_full: failed,
  findings_open: decision,
  forbidden: failed,
  git_failed: failed,
  host_refused: failed,
  internal: failed,
  journal_damaged: failed,
  ledger_damaged: failed,
  method_not_allowed: failed,
  not_found: notFound,
  nothing_to_commit: failed,
  nothing_to_restore: failed,
  object_missing: failed,
  origin_refused: failed,
  path_refused: usage,
  permission_denied: failed,
  plan_stale: tryAgain,
  point_incomplete: failed,
  point_not_found: notFound,
  post_turn_in_place: failed,
  precondition_failed: tryAgain,
  project_not_found: notFound,
  read_only: failed,
  recovery_pending: decision,
  ref_invalid: usage,
  ref_moved: tryAgain,
  ref_not_found: notFound,
  remote_refused: failed,
  replay_diverged: diverged,
  restore_pending: tryAgain,
  run_not_found: notFound,
  scope_violation: failed,
  store_damaged: failed,
  tag_exists: failed,
  timeout: tryAgain,
  too_many_requests: tryAgain,
  unauthorized: failed,
  unit_not_found: notFound,
  unsupported_media_type: failed,
  validation_failed: usage,
  vault_busy: tryAgain,
  vault_damaged: failed,
  vault_tampered: failed,
  workspace_not_found: notFound,
  workspace_refused: failed,
};

interface AtRest {
  readonly status: ProjectStatus;
  readonly reason?: string | undefined;
  readonly detail?: string | undefined;
  readonly recovery?: unknown;
}

/** Exit status of a run by where the project is when the command ends. */
export function exitOfProject({ status, reason, detail, recovery }: AtRest): ExitStatus {
  if (recovery !== undefined) return EXIT.decision;
  switch (status) {
    case 'created':
    case 'running':
    case 'shipped':
    case 'shipped-final':
      return EXIT.ok;
    case 'waiting_approval':
    case 'paused':
      return EXIT.decision;
    case 'blocked':
      return exitOfBlock(reason, detail);
    case 'cancelled':
    case 'abandoned':
      return EXIT.failed;
  }
}

/** A recording that diverged may come as the reason itself, or as the failure of the call that blocked the project. */
function exitOfBlock(reason: string | undefined, detail: string | undefined): ExitStatus {
  if (reason === 'replay_diverged' || detail?.includes('replay_diverged')) return EXIT.diverged;
  return reason === 'unit_failed' || reason === 'integration_failed' || reason === 'budget' ? EXIT.red : EXIT.failed;
}
