import type { ProjectId } from '../domain/ids.ts';
import type { Remote } from '../domain/remote.ts';
import type { UploadPackRequest } from '../git/upload-pack.ts';
import { type ArchiveOptions, archive } from './archive/archive.ts';
import { archiveManifest } from './archive/archive-manifest.ts';
import { bundle } from './bundle.ts';
import { refuseInFiles, refuseInHistory } from './findings/refuse-findings.ts';
import type { SecretScans } from './findings/secret-scans.ts';
import { offer } from './offer.ts';
import { type PushOptions, pushProject } from './remotes/push-project.ts';
import { addRemote, readRemotes } from './remotes/remotes-file.ts';
import type { VaultSet } from './vault-set.ts';

/** What goes out of the vaults whole: not while it holds a secret that nobody allowed (`findings_open`). */
export function vaultExports(vaults: VaultSet, scans: SecretScans) {
  return {
    archive: (pid: ProjectId, rev: string, options: ArchiveOptions) =>
      vaults.stream(pid, async (vault) => {
        await refuseInFiles(vault, scans, rev);
        return archive(vault, rev, options);
      }),
    manifest: (pid: ProjectId, rev: string, signal?: AbortSignal) =>
      vaults.read(pid, (vault) => archiveManifest(vault, rev, signal)),
    bundle: (pid: ProjectId, options: { readonly signal?: AbortSignal } = {}) =>
      vaults.stream(pid, async (vault) => {
        await refuseInHistory(vault, scans);
        return bundle(vault, options);
      }),
    remotes: (pid: ProjectId) => vaults.read(pid, async (vault) => readRemotes(vault)),
    /** Adds one, or gives the one of this name another address. */
    addRemote: (pid: ProjectId, remote: Remote) => vaults.exclusive(pid, async (vault) => addRemote(vault, remote)),
    push: (pid: ProjectId, options: PushOptions) =>
      vaults.read(pid, async (vault) => {
        await refuseInHistory(vault, scans);
        return pushProject(vault, options);
      }),
    uploadPack: (pid: ProjectId, request: UploadPackRequest) =>
      vaults.stream(pid, async (vault) => {
        await refuseInHistory(vault, scans);
        return offer(vault, request);
      }),
  };
}
