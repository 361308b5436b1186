import { DevLoopError } from '../../domain/errors.ts';
import type { FoundSecrets } from '../../domain/finding.ts';
import type { Oid, ProjectId } from '../../domain/ids.ts';
import { KeyedMutex } from '../../io/keyed-mutex.ts';
import { readCommit } from '../commit-info.ts';
import type { OpenVault } from '../open-vault.ts';
import { TreeCache } from './changed-files.ts';
import { firstFound } from './first-found.ts';
import { MOST_MS, scanCommit, scanLate } from './scan-commit.ts';
import { type CommitScan, type ScanRecord, scansOf } from './scan-record.ts';
import { SecretScanner } from './secret-scanner.ts';

/** Is told of what was found before it is kept: after a kill in between it is told again. */
export type OnFound = (pid: ProjectId, found: FoundSecrets) => Promise<void>;

/** Looks for secrets in commits, each once: a while after they were made, or before they leave. */
export class SecretScans {
  readonly #onFound: OnFound;
  readonly #scanner = new SecretScanner();
  readonly #projects = new KeyedMutex({ timeout_ms: WAIT_MS, onTimeout: busy });
  readonly #commitMs: number;
  #closed = false;

  /** @param commit_ms what looking at one commit may take; milliseconds */
  constructor(onFound: OnFound, { commit_ms = MOST_MS }: { readonly commit_ms?: number } = {}) {
    this.#onFound = onFound;
    this.#commitMs = commit_ms;
  }

  /** Scans what is reachable from the commits and was not scanned before. @returns all that is known. */
  complete(vault: OpenVault, commits: readonly Oid[]): Promise<ScanRecord> {
    return this.#projects.run(vault.state, () => this.#complete(vault, commits));
  }

  /** The same, and takes its time for the files that there was none for. */
  completeWhole(vault: OpenVault, commits: readonly Oid[]): Promise<ScanRecord> {
    return this.#projects.run(vault.state, async () => {
      const record = await this.#complete(vault, commits);
      const left = record.notScanned.filter(({ reason }) => reason === 'out_of_time');
      for await (const late of scanLate(vault, left, this.#scanner)) {
        this.#checkOpen(vault);
        await this.#tell(vault, record, { ...late, not_scanned: [] });
        record.addLate(late);
      }
      return record;
    });
  }

  close(): void {
    this.#closed = true;
    this.#scanner.close();
  }

  async #complete(vault: OpenVault, commits: readonly Oid[]): Promise<ScanRecord> {
    const record = scansOf(vault);
    const how = { scanner: this.#scanner, most_ms: this.#commitMs, trees: new TreeCache() };
    for (const commit of await unscanned(vault, record, commits)) {
      const scan = await scanCommit(vault, commit, how);
      this.#checkOpen(vault);
      await this.#tell(vault, record, scan);
      record.add(scan);
    }
    return record;
  }

  #checkOpen({ pid }: OpenVault): void {
    if (this.#closed) throw new DevLoopError('vault_busy', `project ${pid}: the server is stopping`, { data: { pid } });
  }

  async #tell({ pid }: OpenVault, record: ScanRecord, { commit, findings, not_scanned }: CommitScan): Promise<void> {
    const fresh = firstFound(findings, record.findings).map(({ secrets: _secrets, ...finding }) => finding);
    if (fresh.length > 0) await this.#onFound(pid, { commit, findings: fresh, not_scanned: not_scanned.length });
  }
}

const WAIT_MS = 600_000;

function busy(state: string): DevLoopError {
  return new DevLoopError('vault_busy', `the scan for ${state} has been busy for ${WAIT_MS / 1000} seconds`);
}

/** Lists commits to scan, parents before children. */
async function unscanned(vault: OpenVault, record: ScanRecord, commits: readonly Oid[]): Promise<readonly Oid[]> {
  const listed = new Set<Oid>();
  const waiting = [...commits];
  for (let commit = waiting.at(-1); commit !== undefined; commit = waiting.at(-1)) {
    if (record.isScanned(commit) || listed.has(commit)) {
      waiting.pop();
      continue;
    }
    const { parents } = await readCommit(vault, commit);
    const before = parents.filter((parent) => !record.isScanned(parent) && !listed.has(parent));
    if (before.length > 0) waiting.push(...before);
    else listed.add(commit);
  }
  return [...listed];
}
