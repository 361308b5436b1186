import type { ProjectId } from '../domain/ids.ts';
import { AfterWrites } from './after-writes.ts';
import { type OnFound, SecretScans } from './findings/secret-scans.ts';
import { syncMirror } from './mirror/mirror.ts';
import { scanProject } from './vault-findings.ts';
import type { VaultSet } from './vault-set.ts';

/** What is done for projects a while after each write, before somebody waits for it: their mirrors, and the search for secrets. */
export class Background {
  readonly scans: SecretScans;
  readonly #queues: readonly AfterWrites[];

  constructor(vaults: () => VaultSet, onFound: OnFound) {
    this.scans = new SecretScans(onFound);
    this.#queues = [
      new AfterWrites((pid) => vaults().read(pid, syncMirror)),
      new AfterWrites((pid) => vaults().read(pid, async (vault) => void (await scanProject(vault, this.scans)))),
    ];
  }

  /** Notes that a project was written to. */
  note(pid: ProjectId): void {
    for (const queue of this.#queues) queue.note(pid);
  }

  close(): void {
    for (const queue of this.#queues) queue.stop();
    this.scans.close();
  }
}
