import type { Oid } from '../domain/ids.ts';
import { runGit } from './run.ts';

/**
 * Checks the format and the hash of every object in the repository, and that all which some commits and tags need is there.
 * @returns git's own lines, warnings included; none where all is well. What nothing needs is no fault.
 */
export async function fsck(shadowDir: string, heads: readonly Oid[], signal?: AbortSignal): Promise<readonly string[]> {
  const args = ['fsck', '--full', '--strict', '--no-dangling', '--no-progress', '--no-reflogs', ...heads];
  const options = { okExits: [...FINDINGS, FATAL], timeout_ms: 1_800_000, ...(signal ? { signal } : {}) };
  const { exit, stdout, stderr } = await runGit(shadowDir, args, options);
  const lines = `${stdout}\n${stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('notice: '));
  return exit !== 0 && lines.length === 0 ? [`git fsck ended with status ${exit}`] : lines;
}

/** Any sum of the bits that git gives its findings. */
const FINDINGS = Array.from({ length: 32 }, (_, status) => status);
/** git gave up at an object; its last line names it. */
const FATAL = 128;
