import { lstatSync } from 'node:fs';
import { isDevLoopError } from '../domain/errors.ts';
import { MAIN } from '../domain/ref-names.ts';
import { IoError } from '../io/io-error.ts';
import { isAt } from './confirm-move.ts';
import { isRepositoryLost } from './mirror/is-repository-lost.ts';
import type { OpenVault } from './open-vault.ts';
import { isSealed } from './seal/seal.ts';
import { strayedRefs } from './strayed/strayed-refs.ts';

/**
 * True where a repository must be put right before anybody works on it: it is gone, main is not where the server put it, a move
 * of refs must be redone, or a killed server has left it in the hands of an agent.
 */
export function needsMending(vault: OpenVault): boolean {
  if (vault.ahead?.left !== undefined) return true;
  return isSealed(vault) === 'by another server' || looksLost(vault) || hasMainMoved(vault);
}

/** The same with a look at every ref. */
export function needsMendingAnywhere(vault: OpenVault): boolean {
  return needsMending(vault) || isSo(() => strayedRefs(vault).length > 0);
}

/** Packs are looked into only where their folder is not there. */
function looksLost(vault: OpenVault): boolean {
  const folders = ['', '/objects', '/objects/pack'].map((name) => vault.gitDir + name);
  // One after the other: below what is no folder nothing can be asked for.
  return !folders.every((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) && isRepositoryLost(vault);
}

function hasMainMoved({ gitDir, refs }: OpenVault): boolean {
  const head = refs.get(MAIN);
  if (head === undefined || refs.pending !== undefined) return false;
  return isSo(() => !isAt(gitDir, MAIN, head));
}

/** A ref that cannot be read is met again, and told, by whoever needs it. */
function isSo(look: () => boolean): boolean {
  try {
    return look();
  } catch (error) {
    if (isDevLoopError(error, 'vault_damaged') || error instanceof IoError) return false;
    throw error;
  }
}
