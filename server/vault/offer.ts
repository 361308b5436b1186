import type { Readable } from 'node:stream';
import { type UploadPackRequest, uploadPack } from '../git/upload-pack.ts';
import { syncMirror } from './mirror/mirror.ts';
import { mirrorDir } from './mirror/mirror-dir.ts';
import type { OpenVault } from './open-vault.ts';

/**
 * Answers a clone or fetch, from the mirror: its refs are those of the server's record, which were looked at for secrets, and
 * what is in there was hashed. Of the project's own refs git would pass over a damaged main without a word.
 * @throws DevLoopError vault_damaged where the mirror is behind, and the project lacks what it needs
 */
export async function offer(vault: OpenVault, request: UploadPackRequest): Promise<Readable> {
  await syncMirror(vault);
  return uploadPack(mirrorDir(vault.state), request);
}
