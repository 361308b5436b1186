import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Oid, parseCompanyId, parseOid, parseProjectId } from '../../server/domain/ids.ts';
import { openObjectReader } from '../../server/git/object-reader.ts';
import { openObjectStore } from '../../server/git/objects/object-store.ts';
import type { OpenVault } from '../../server/vault/open-vault.ts';
import { type ShadowPlace, shadowPlace } from './shadow-place.ts';

/** A repository made by git itself, opened as a vault for reading; the record of refs is what the repository has when `vault` is called. */
export interface VaultUnderTest extends ShadowPlace {
  readonly vault: () => OpenVault;
}

export function vaultUnderTest(t: TestContext): VaultUnderTest {
  const place = shadowPlace(t);
  const reader = openObjectReader(place.shadow);
  t.after(() => reader.close());
  const state = join(place.folder, 'state');
  mkdirSync(state, { recursive: true });
  const open = {
    pid: parseProjectId('p-test'),
    cid: parseCompanyId('default'),
    root: place.root,
    state,
    gitDir: place.gitDir,
    shadow: place.shadow,
    reader,
  };
  return {
    ...place,
    vault: () => {
      const refs = refsOf(place);
      const settings = { max_file_bytes: 50_000_000, now: () => new Date('2026-01-02T03:04:05Z') };
      const objects = openObjectStore(join(place.gitDir, 'objects'));
      return {
        ...open,
        objects,
        settings,
        refs: { get: (ref: string) => refs.get(ref), all: () => refs, damaged: 0 },
      } as unknown as OpenVault;
    },
  };
}

function refsOf({ git }: ShadowPlace): ReadonlyMap<string, Oid> {
  const lines = git('for-each-ref', '--format=%(objectname) %(refname)')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(41), parseOid(line.slice(0, 40))]));
}
