import { DevLoopError } from '../domain/errors.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { hasCode } from '../io/io-error.ts';

/**
 * Puts a failure of a project's ledgers into our own words.
 * @returns a DevLoopError ledger_damaged, disk_full, read_only or permission_denied; any other error as it is.
 */
export function ledgerFailure(error: unknown, pid: string): unknown {
  const damaged = error instanceof SyntaxError || hasCode(error, 'log_damaged', 'path_refused', 'ELOOP', 'EISDIR');
  if (!damaged) return systemRefusal(error, { doing: `writing the ledgers of project ${pid}`, data: { pid } });
  return new DevLoopError('ledger_damaged', `the ledgers of project ${pid} cannot be used: ${error.message}`, {
    data: { pid },
    hint: "Put the server's own part of the project back from a backup. Its git repository is not touched.",
    cause: error,
  });
}
