import type { ProjectId } from '../domain/ids.ts';
import { type UploadPackRequest, uploadPack } from '../git/upload-pack.ts';
import { type ArchiveOptions, archive } from './archive.ts';
import { archiveManifest } from './archive-manifest.ts';
import { bundle } from './bundle.ts';
import type { VaultSet } from './vault-set.ts';

/** What goes out of the vaults whole. */
export function vaultExports(vaults: VaultSet) {
  return {
    archive: (pid: ProjectId, rev: string, options: ArchiveOptions) =>
      vaults.stream(pid, (vault) => archive(vault, rev, options)),
    manifest: (pid: ProjectId, rev: string, signal?: AbortSignal) =>
      vaults.read(pid, (vault) => archiveManifest(vault, rev, signal)),
    bundle: (pid: ProjectId, options: { readonly signal?: AbortSignal } = {}) =>
      vaults.stream(pid, (vault) => bundle(vault, options)),
    uploadPack: (pid: ProjectId, request: UploadPackRequest) =>
      vaults.stream(pid, ({ shadow }) => uploadPack(shadow, request)),
  };
}
