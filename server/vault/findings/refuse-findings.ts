import { pathText } from '../../domain/byte-path.ts';
import { DevLoopError } from '../../domain/errors.ts';
import type { Oid } from '../../domain/ids.ts';
import { MAIN, TAGS } from '../../domain/ref-names.ts';
import { readCommit } from '../commit-info.ts';
import type { OpenVault } from '../open-vault.ts';
import { filesBelow } from '../read-tree.ts';
import { peel, resolveCommit } from '../rev.ts';
import { readAllowed } from './allowed-findings.ts';
import { firstFound, openFindings, sharesSecret } from './first-found.ts';
import type { KeptFinding } from './scan-record.ts';
import type { SecretScans } from './secret-scans.ts';

/** Refuses to let a revision's files out while one holds a secret that nobody allowed. Throws `findings_open`. */
export async function refuseInFiles(vault: OpenVault, scans: SecretScans, rev: string): Promise<void> {
  const commit = await resolveCommit(vault, rev);
  const known = (await scans.completeWhole(vault, [commit])).findings;
  const allowed = readAllowed(vault);
  const open = openFindings(known, allowed);
  if (open.length === 0) return;
  const blobs = new Set<Oid>();
  for await (const { oid } of filesBelow(vault, (await readCommit(vault, commit)).tree)) blobs.add(oid);
  refuse(
    vault,
    open.filter(({ blob }) => blobs.has(blob)),
    openFindings(firstFound(known), allowed),
  );
}

/** Refuses to let main and the tags out, with all that they reach. Throws `findings_open`. */
export async function refuseInHistory(vault: OpenVault, scans: SecretScans): Promise<void> {
  const tips = await commitsOf(vault, (ref) => ref === MAIN || ref.startsWith(TAGS));
  const known = (await scans.completeWhole(vault, tips)).findings;
  const allowed = readAllowed(vault);
  const open = openFindings(known, allowed);
  if (open.length === 0) return;
  const reached = await ancestors(vault, tips);
  refuse(
    vault,
    open.filter(({ commit }) => reached.has(commit)),
    openFindings(firstFound(known), allowed),
  );
}

/** The commits that a project's refs of a kind name. */
export async function commitsOf(vault: OpenVault, isMeant: (ref: string) => boolean): Promise<readonly Oid[]> {
  const oids = [...vault.refs.all()].filter(([ref]) => isMeant(ref)).map(([, oid]) => oid);
  const peeled = await Promise.all([...new Set(oids)].map((oid) => peel(vault, oid)));
  return peeled.flatMap((object) => (object?.kind === 'commit' ? [object.oid] : []));
}

/** So many are named in the refusal. */
const MOST_NAMED = 20;

/** @param listed what a person sees in the list and can allow */
function refuse({ pid }: OpenVault, open: readonly KeptFinding[], listed: readonly KeptFinding[]): void {
  if (open.length === 0) return;
  const named = listed.filter((finding) => open.some((one) => sharesSecret(one, finding)));
  const findings = named
    .slice(0, MOST_NAMED)
    .map(({ path, blob, rule, line }) => ({ ...pathText(path), blob, rule, line }));
  const where = findings.map(({ path, line, rule }) => `${path}:${line} (${rule})`).join(', ');
  throw new DevLoopError('findings_open', `project ${pid} holds what looks like secrets: ${where}`, {
    data: { pid, findings, total: named.length },
    hint: `Remove them, or look at each and allow it: devloop findings ${pid} --allow BLOB:RULE`,
  });
}

async function ancestors(vault: OpenVault, tips: readonly Oid[]): Promise<ReadonlySet<Oid>> {
  const found = new Set<Oid>(tips);
  for (const commit of found) for (const parent of (await readCommit(vault, commit)).parents) found.add(parent);
  return found;
}
