import type { NotScanned } from '../../domain/finding.ts';
import type { Oid } from '../../domain/ids.ts';
import type { OpenVault } from '../open-vault.ts';
import { changedFiles, type TreeCache } from './changed-files.ts';
import { scanFiles } from './scan-files.ts';
import type { CommitScan, KeptFinding, LateScan } from './scan-record.ts';
import type { SecretScanner } from './secret-scanner.ts';

/** What looking at one commit may take, and each turn at the files that were left. */
export const MOST_MS = 2000;

/** Looks for secrets in what a commit changed, and says what it did not look at. */
export async function scanCommit(
  vault: OpenVault,
  commit: Oid,
  { trees, ...how }: { readonly scanner: SecretScanner; readonly most_ms: number; readonly trees: TreeCache },
): Promise<CommitScan> {
  const findings: KeptFinding[] = [];
  const not_scanned: NotScanned[] = [];
  for await (const { file, outcome } of scanFiles(vault, changedFiles(vault, commit, trees), how)) {
    if (outcome.kind === 'scanned') findings.push(...outcome.findings.map((found) => ({ ...found, ...file, commit })));
    else not_scanned.push({ ...file, commit, reason: outcome.kind });
  }
  return { commit, findings, not_scanned };
}

/** Looks at files that there was no time for, until all were looked at or one alone takes too long. */
export async function* scanLate(
  vault: OpenVault,
  left: readonly NotScanned[],
  scanner: SecretScanner,
): AsyncGenerator<LateScan> {
  for (let rest = left, before = Number.POSITIVE_INFINITY; rest.length > 0 && rest.length < before; ) {
    before = rest.length;
    const again: NotScanned[] = [];
    for await (const { file, outcome } of scanFiles(vault, rest, { scanner, most_ms: MOST_MS })) {
      const { reason: _reason, ...at } = file;
      if (outcome.kind === 'scanned') yield { ...at, findings: outcome.findings.map((found) => ({ ...found, ...at })) };
      else again.push(file);
    }
    rest = again;
  }
}
