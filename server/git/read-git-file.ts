import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { readBelow } from '../io/safe-path.ts';

/**
 * Reads a file below a git dir; undefined where there is none. Links, pipes and folders in its place are no files of ours.
 * @param limit bytes
 * @throws DevLoopError vault_damaged
 */
export function readGitFile(gitDir: string, name: string, limit: number): Buffer | undefined {
  try {
    return readBelow(gitDir, name, limit);
  } catch (error) {
    if (!hasCode(error, 'path_refused', 'too_large')) throw error;
    throw new DevLoopError('vault_damaged', `${name} is not a file that git would have written`, {
      data: { file: name },
      cause: error,
    });
  }
}
