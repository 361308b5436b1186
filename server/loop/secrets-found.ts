import { pathText } from '../domain/byte-path.ts';
import type { FoundSecrets } from '../domain/finding.ts';
import type { SecretsFound } from '../domain/loop-event.ts';

/** So many findings of a commit are named in its event. */
const MOST_NAMED = 20;

/** The event of secrets that the vault has found in a commit. */
export function secretsFound({ commit, findings, not_scanned }: FoundSecrets): SecretsFound {
  const named = findings.slice(0, MOST_NAMED);
  return {
    kind: 'secrets.found',
    sha: commit,
    findings: named.map(({ path, blob, rule, line }) => ({ ...pathText(path), blob, rule, line })),
    total: findings.length,
    not_scanned,
  };
}
