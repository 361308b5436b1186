import { extname } from 'node:path';
import type { BytePath } from '../../domain/byte-path.ts';
import type { NotScanned } from '../../domain/finding.ts';
import type { Oid } from '../../domain/ids.ts';
import type { OpenVault } from '../open-vault.ts';
import { changedFiles } from './changed-files.ts';
import type { CommitScan, KeptFinding, LateScan } from './scan-record.ts';
import type { SecretScanner } from './secret-scanner.ts';

/** Larger files are not looked at; bytes. */
const MAX_BYTES = 1024 * 1024;
/** What looking at one commit may take, or at one file that was left. */
export const MOST_MS = 2000;

/** Looks for secrets in what a commit changed, and says what it did not look at. */
export async function scanCommit(
  vault: OpenVault,
  commit: Oid,
  { scanner, most_ms }: { readonly scanner: SecretScanner; readonly most_ms: number },
): Promise<CommitScan> {
  const findings: KeptFinding[] = [];
  const not_scanned: NotScanned[] = [];
  const seen = new Set<Oid>();
  let left_ms = most_ms;
  for await (const { path, blob } of changedFiles(vault, commit)) {
    if (seen.has(blob)) continue;
    seen.add(blob);
    const content = left_ms > 0 ? await contentOf(vault, blob) : undefined;
    if (content === undefined) {
      not_scanned.push({ blob, path, commit, reason: left_ms > 0 ? 'too_large' : 'out_of_time' });
      continue;
    }
    const outcome = await scanner.scan({ content, ext: extensionOf(path) }, left_ms);
    left_ms -= outcome.ms;
    if (outcome.kind === 'scanned')
      findings.push(...outcome.findings.map((found) => ({ ...found, blob, path, commit })));
    else not_scanned.push({ blob, path, commit, reason: outcome.kind });
  }
  return { commit, findings, not_scanned };
}

/** Looks at a file that there was no time for; undefined where there is none again. */
export async function scanLate(
  vault: OpenVault,
  { blob, path, commit }: NotScanned,
  scanner: SecretScanner,
): Promise<LateScan | undefined> {
  const { content } = await vault.reader.read(blob);
  const outcome = await scanner.scan({ content, ext: extensionOf(path) }, MOST_MS);
  if (outcome.kind !== 'scanned') return undefined;
  return { blob, findings: outcome.findings.map((found) => ({ ...found, blob, path, commit })) };
}

async function contentOf({ reader }: OpenVault, blob: Oid): Promise<Uint8Array | undefined> {
  const about = await reader.stat(blob);
  return about !== undefined && about.size > MAX_BYTES ? undefined : (await reader.read(blob)).content;
}

const extensionOf = (path: BytePath): string => extname(path).toLowerCase();
