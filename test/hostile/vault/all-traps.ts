import type { HostilePlace } from './hostile-place.ts';
import type { Trap } from './trap.ts';
import { CONFIG_TRAPS } from './traps/config-traps.ts';
import { ENVIRONMENT_TRAPS } from './traps/environment-traps.ts';
import { GIT_DIR_TRAPS } from './traps/git-dir-traps.ts';
import { HOOK_TRAPS } from './traps/hook-traps.ts';
import { OBJECT_TRAPS } from './traps/object-traps.ts';
import { REF_TRAPS } from './traps/ref-traps.ts';
import { TREE_TRAPS } from './traps/tree-traps.ts';

const ONE_BY_ONE: readonly Trap[] = [
  ...CONFIG_TRAPS,
  ...HOOK_TRAPS,
  ...GIT_DIR_TRAPS,
  ...OBJECT_TRAPS,
  ...REF_TRAPS,
  ...TREE_TRAPS,
  ...ENVIRONMENT_TRAPS,
];

/** Every trap, and those that go together, all at once. */
export const TRAPS: readonly Trap[] = [
  ...ONE_BY_ONE,
  together(
    'everything in .git at once',
    'git',
    (trap) => trap.where === 'git' && !/extensions|repositoryFormat/.test(trap.name),
  ),
  together(
    'everything in the tree and in nested repositories at once',
    'tree',
    (trap) => trap.where === 'tree' || trap.where === 'nested',
  ),
  together(
    'everything at once',
    'git',
    (trap) => trap.where !== 'environment' && !/extensions|repositoryFormat/.test(trap.name),
  ),
];

/** Traps that cannot be planted beside the others (a name is taken) are left out of the sum. */
function together(name: string, where: Trap['where'], belongs: (trap: Trap) => boolean): Trap {
  return {
    name,
    where,
    plant: (place: HostilePlace) => {
      const traps = ONE_BY_ONE.filter((trap) => trap.alone === undefined && belongs(trap));
      // What runs git to plant itself comes first: after the others it might be caught itself.
      for (const trap of [...traps.filter(usesGit), ...traps.filter((one) => !usesGit(one))])
        plantIfPossible(trap, place);
    },
  };
}

const usesGit = ({ plant }: Trap): boolean => /git\(|rawRepository|nested\(/.test(plant.toString());

function plantIfPossible({ plant }: Trap, place: HostilePlace): void {
  try {
    plant(place);
  } catch (error) {
    if (
      !['EEXIST', 'ENOTDIR', 'EISDIR', 'ELOOP', 'EPERM', 'EINVAL', 'ENOENT'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      ) &&
      !('status' in (error as object))
    )
      throw error;
  }
}
