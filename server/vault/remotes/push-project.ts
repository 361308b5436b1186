import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { parseRefName, TAGS } from '../../domain/ref-names.ts';
import { type PushedRef, push } from '../../git/push.ts';
import { syncMirror } from '../mirror/mirror.ts';
import { mirrorDir } from '../mirror/mirror-dir.ts';
import { type OpenVault, recordedHead } from '../open-vault.ts';
import { readRemotes } from './remotes-file.ts';

export interface PushOptions {
  /** Name of a remote that was added. */
  readonly remote: string;
  /** The branch there that main goes to. */
  readonly branch: string;
  /** All tags of the project as well. */
  readonly tags?: boolean;
  /** For https; used once, and written down nowhere. */
  readonly token?: string;
  readonly signal?: AbortSignal;
}

/**
 * Pushes main, and the tags where they are asked for, from the mirror: what is in there was hashed. Attempts and rescues never
 * leave. The project is as it was, whatever becomes of it.
 * @throws DevLoopError not_found, ref_invalid, remote_refused
 */
export async function pushProject(vault: OpenVault, options: PushOptions): Promise<readonly PushedRef[]> {
  const { remote, branch, tags = false, token, signal } = options;
  const found = readRemotes(vault).find(({ name }) => name === remote);
  if (found === undefined) {
    throw new DevLoopError('not_found', `project ${vault.pid} has no remote ${remote}`, {
      data: { pid: vault.pid, remote },
      hint: `Add it: devloop remotes ${vault.pid} ${remote} URL`,
    });
  }
  const refs = new Map<string, Oid>([[parseRefName(`refs/heads/${branch}`), recordedHead(vault)]]);
  if (tags) for (const [ref, oid] of vault.refs.all()) if (ref.startsWith(TAGS)) refs.set(ref, oid);
  await syncMirror(vault);
  return push(mirrorDir(vault.state), { url: found.url, refs, ...(token && { token }), ...(signal && { signal }) });
}
