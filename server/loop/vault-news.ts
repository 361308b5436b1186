import { pathText } from '../domain/byte-path.ts';
import type { FoundSecrets } from '../domain/finding.ts';
import type { SecretsFound, VaultMended } from '../domain/loop-event.ts';

/** What a vault tells of a project besides the answers to its calls. */
export type VaultNews =
  | { readonly kind: 'secrets'; readonly found: FoundSecrets }
  /** What of the repository had to be put right before it could be worked on, in words. */
  | { readonly kind: 'mended'; readonly what: readonly string[] };

/** So many findings of a commit are named in its event. */
const MOST_NAMED = 20;

/** The event of what the vault tells. */
export function vaultNews(news: VaultNews): SecretsFound | VaultMended {
  return news.kind === 'mended' ? { kind: 'vault.mended', what: news.what } : secretsFound(news.found);
}

function secretsFound({ commit, findings, not_scanned }: FoundSecrets): SecretsFound {
  const named = findings.slice(0, MOST_NAMED);
  return {
    kind: 'secrets.found',
    sha: commit,
    findings: named.map(({ path, blob, rule, line }) => ({ ...pathText(path), blob, rule, line })),
    total: findings.length,
    not_scanned,
  };
}
