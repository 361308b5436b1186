import type { Readable } from 'node:stream';
import type { Oid } from '../domain/ids.ts';
import { MAIN, TAGS } from '../domain/ref-names.ts';
import { bundleOf } from '../git/bundle.ts';
import { type OpenVault, recordedHead } from './open-vault.ts';

/** Streams main and all tags, with everything they reach, as one file that `git clone` takes. */
export function bundle(vault: OpenVault, { signal }: { readonly signal?: AbortSignal } = {}): Readable {
  const head = recordedHead(vault);
  const tags = [...vault.refs.all()].filter(([ref]) => ref.startsWith(TAGS));
  return bundleOf(vault.shadow, new Map<string, Oid>([['HEAD', head], [MAIN, head], ...tags]), signal);
}
