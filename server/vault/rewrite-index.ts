import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { MAIN } from '../domain/ref-names.ts';
import { isIndexWhole } from '../git/index-file.ts';
import { headTree } from './head-tree.ts';
import type { LockedVault } from './open-vault.ts';
import { writeIndex } from './write-index.ts';

/** Makes the index anew from main and the disk: after files were written back, or where it fell behind. */
export async function rewriteIndex(vault: LockedVault): Promise<void> {
  const tree = await headTree(vault);
  const { disk } = await vault.tree.look({ tracked: tree });
  await writeIndex(vault, { tree, disk });
}

/** Makes the index anew where it is older than main, after which it is written, or damaged. @returns true where it was. */
export async function bringIndexUp(vault: LockedVault): Promise<boolean> {
  const [index, main] = ['index', MAIN].map((name) => lstatSync(join(vault.gitDir, name), { throwIfNoEntry: false }));
  const isBehind = index === undefined || (main !== undefined && index.mtimeMs < main.mtimeMs);
  if (!isBehind && isIndexWhole(vault.gitDir)) return false;
  await rewriteIndex(vault);
  return true;
}
