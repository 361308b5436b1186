import type { Readable } from 'node:stream';
import type { Oid } from '../domain/ids.ts';
import { MAIN, TAGS } from '../domain/ref-names.ts';
import { bundleOf } from '../git/bundle.ts';
import { syncMirror } from './mirror/mirror.ts';
import { mirrorDir } from './mirror/mirror-dir.ts';
import { type OpenVault, recordedHead } from './open-vault.ts';

/**
 * Streams main and all tags, with everything they reach, as one file that `git clone` takes. It is made from the mirror: what is in
 * there was hashed, while git would pack a damaged object of the project without a word.
 * @throws DevLoopError vault_damaged
 */
export async function bundle(vault: OpenVault, { signal }: { readonly signal?: AbortSignal } = {}): Promise<Readable> {
  const head = recordedHead(vault);
  const tags = [...vault.refs.all()].filter(([ref]) => ref.startsWith(TAGS));
  await syncMirror(vault);
  return bundleOf(mirrorDir(vault.state), new Map<string, Oid>([['HEAD', head], [MAIN, head], ...tags]), signal);
}
