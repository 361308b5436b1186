import type { RescueInfo } from '../domain/commit.ts';
import { type Oid, parseRescueId } from '../domain/ids.ts';
import { messageParts, trailerRecord } from '../domain/message-parts.ts';
import { RESCUES } from '../domain/ref-names.ts';
import { readCommit, timeOf } from './commit-info.ts';
import { RESCUE_TRAILERS } from './keep-rescue.ts';
import type { OpenVault } from './open-vault.ts';

/** Lists what was kept, newest first. */
export async function rescues(vault: OpenVault): Promise<readonly RescueInfo[]> {
  const found = [...vault.refs.all()].filter(([ref]) => ref.startsWith(RESCUES));
  const infos = await Promise.all(found.map(([ref, sha]) => rescueInfo(vault, ref.slice(RESCUES.length), sha)));
  return infos.sort((a, b) => (a.id < b.id ? 1 : -1));
}

async function rescueInfo(vault: OpenVault, id: string, sha: Oid): Promise<RescueInfo> {
  const { message, committer } = await readCommit(vault, sha);
  const trailers = trailerRecord(messageParts(message).trailers);
  return {
    id: parseRescueId(id),
    sha,
    reason: trailers[RESCUE_TRAILERS.reason] ?? '',
    ts: timeOf(committer),
    files: Number(trailers[RESCUE_TRAILERS.files] ?? 0),
  };
}
