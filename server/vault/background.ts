import type { ProjectId } from '../domain/ids.ts';
import { AfterWrites } from './after-writes.ts';
import { type OnFound, SecretScans } from './findings/secret-scans.ts';
import { needsMaintenance, pack } from './maintain.ts';
import { syncMirror } from './mirror/mirror.ts';
import { scanProject } from './vault-findings.ts';
import type { VaultSet } from './vault-set.ts';

/** What is done for projects a while after each write, before somebody waits for it: their mirrors, the search for secrets, and packs that became many. */
export class Background {
  readonly scans: SecretScans;
  readonly #mirrors: AfterWrites;
  readonly #findings: AfterWrites;
  readonly #packs: AfterWrites;

  constructor(vaults: () => VaultSet, onFound: OnFound) {
    this.scans = new SecretScans(onFound);
    this.#mirrors = new AfterWrites((pid) => vaults().read(pid, syncMirror));
    this.#findings = new AfterWrites((pid) =>
      vaults().read(pid, async (vault) => void (await scanProject(vault, this.scans))),
    );
    this.#packs = new AfterWrites((pid) =>
      vaults().sound(pid, async (vault) => (needsMaintenance(vault) ? pack(vault) : undefined)),
    );
  }

  /** Notes that a project was written to. */
  note(pid: ProjectId): void {
    this.#mirrors.note(pid);
    this.#findings.note(pid);
    this.#packs.note(pid);
  }

  /** A search for secrets that was not made is made later; a mirror that is behind may be needed at the next start. */
  async close(): Promise<void> {
    this.#findings.stop();
    this.#packs.stop();
    this.scans.close();
    await this.#mirrors.drain();
  }
}
