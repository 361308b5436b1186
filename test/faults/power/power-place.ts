import { join } from 'node:path';
import { type ProjectPlace, placeOf } from '../../../server/vault/project-scan.ts';
import { vaultNotes } from '../../../server/vault/vault-notes.ts';
import { VaultSet } from '../../../server/vault/vault-set.ts';
import { COMPANY, PROJECT } from '../../support/project-folders.ts';

export const placeIn = (folder: string): ProjectPlace => placeOf(folder, COMPANY, PROJECT);

export const vaultsIn = (folder: string): VaultSet =>
  new VaultSet({
    locate: async () => placeIn(folder),
    ahead: vaultNotes(folder),
    settings: { max_file_bytes: 1_000_000, now: () => new Date() },
  });

export const logIn = (folder: string): string => join(folder, 'log.ndjson');
