import { DevLoopError } from '../domain/errors.ts';
import type { Finding, FindingKey, NotScanned } from '../domain/finding.ts';
import type { ProjectId } from '../domain/ids.ts';
import { ATTEMPTS, MAIN, TAGS } from '../domain/ref-names.ts';
import { readAllowed, writeAllowed } from './findings/allowed-findings.ts';
import { firstFound, keyOf, openFindings } from './findings/first-found.ts';
import { commitsOf } from './findings/refuse-findings.ts';
import type { ScanRecord } from './findings/scan-record.ts';
import type { SecretScans } from './findings/secret-scans.ts';
import type { OpenVault } from './open-vault.ts';
import type { VaultSet } from './vault-set.ts';

export interface ListedFinding extends Finding {
  /** Whether it keeps the project from leaving. */
  readonly open: boolean;
}

/** What looks like secrets in the projects' commits, and which of it a person has allowed. */
export function vaultFindings(vaults: VaultSet, scans: SecretScans) {
  return {
    /** Each secret once, as the commit that brought it has it, oldest first; and what was not looked at. */
    findings: (pid: ProjectId) => vaults.read(pid, async (vault) => listOf(vault, await scanProject(vault, scans))),
    /** Lets a finding's file out, and the same secrets in other files. Throws not_found. */
    allowFinding: (pid: ProjectId, key: FindingKey) => vaults.read(pid, (vault) => allow(vault, scans, key)),
  };
}

/** Looks at all commits of a project's own that were not looked at. */
export async function scanProject(vault: OpenVault, scans: SecretScans): Promise<ScanRecord> {
  return scans.complete(vault, await commitsOf(vault, isOwn));
}

const isOwn = (ref: string): boolean => ref === MAIN || ref.startsWith(TAGS) || ref.startsWith(ATTEMPTS);

async function allow(vault: OpenVault, scans: SecretScans, key: FindingKey): Promise<ListedFinding> {
  const { findings } = await scanProject(vault, scans);
  const found = findings.find((finding) => keyOf(finding) === keyOf(key));
  if (found === undefined) {
    throw new DevLoopError('not_found', `project ${vault.pid} has no finding ${key.blob}:${key.rule}`, {
      data: { ...key },
    });
  }
  writeAllowed(vault, key);
  const { secrets: _secrets, ...finding } = found;
  return { ...finding, open: false };
}

function listOf(
  vault: OpenVault,
  { findings, notScanned }: ScanRecord,
): { readonly findings: readonly ListedFinding[]; readonly not_scanned: readonly NotScanned[] } {
  const listed = firstFound(findings);
  const open = new Set(openFindings(findings, readAllowed(vault)).map(keyOf));
  return {
    findings: listed.map(({ secrets: _secrets, ...finding }) => ({ ...finding, open: open.has(keyOf(finding)) })),
    not_scanned: notScanned,
  };
}
