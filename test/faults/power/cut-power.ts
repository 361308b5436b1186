import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FaultReport } from '../run-faults.ts';
import { checkGit, checkVault } from './check-after-cut.ts';
import { checkWorkspace } from './check-workspace.ts';
import { type Random, randomly } from './randomly.ts';
import { run, unmount } from './serve-disk.ts';
import { type Session, session, type Who } from './session.ts';

/** Acts in one session, and cuts that are tried of each. */
const ACTS = 60;
const CUTS = 25;

/**
 * Cuts the power: right at an acknowledgement, or at any moment; what was not flushed is lost, or there, or some of it, as chance has it.
 * Each time the file system is mounted, which replays its journal, looked at, and must be clean afterwards.
 */
export async function cutPower(
  home: string,
  { who, cuts, seed }: { readonly who: Who; readonly cuts: number; readonly seed: number },
): Promise<FaultReport> {
  const random = randomly(seed);
  const faults: string[] = [];
  for (let done = 0; done < cuts; done += CUTS) {
    const worked = await session(home, { who, seed: seed + done, count: ACTS });
    for (let i = done; i < Math.min(cuts, done + CUTS); i++) {
      const cut = chooseCut(worked, random, i);
      // A user's folder that moved is another one.
      const mount = who === 'workspace' ? 'mount' : cut.mount;
      const fault = await oneCut(home, worked, { ...cut, mount, who });
      if (fault !== undefined)
        faults.push(`cut ${i} (seed ${seed}) at ${cut.at} of ${worked.disk.log.length}, ${cut.named}: ${fault}`);
    }
  }
  return {
    scenario: NAMES[who],
    injected: cuts,
    survived: cuts - faults.length,
    faults,
  };
}

const NAMES: Readonly<Record<Who, string>> = {
  vault: 'power',
  git: 'power, git by itself',
  workspace: 'power under restores',
};

interface Cut {
  /** So many events of the disk had come. */
  readonly at: number;
  readonly keeps: () => boolean;
  readonly named: string;
  /** Name of the folder that the disk is mounted on afterwards: where it was, or somewhere else. */
  readonly mount: string;
}

function chooseCut({ disk, acknowledged }: Session, random: Random, i: number): Cut {
  const told = acknowledged[random.below(acknowledged.length)]?.at ?? 0;
  const at = i % 2 === 0 ? told : random.below(disk.log.length + 1);
  const chance = [0, 100, 50, 10, 90][i % 5] ?? 0;
  return {
    at,
    keeps: () => random.below(100) < chance,
    named: `${chance} % of what was not flushed kept`,
    mount: i % 3 === 0 ? 'elsewhere' : 'mount',
  };
}

async function oneCut(
  home: string,
  { disk, acknowledged }: Session,
  { at, keeps, who, mount: name }: Cut & { readonly who: Who },
): Promise<string | undefined> {
  const [image, mount] = [join(home, 'after'), join(home, name)];
  mkdirSync(mount, { recursive: true });
  writeFileSync(image, disk.afterCut(at, keeps));
  const told = acknowledged.filter((one) => one.at <= at).map(({ what }) => what);
  const data = join(mount, 'data');
  try {
    await run(['mount', '-t', 'ext4', '-o', 'loop', image, mount]);
    try {
      if (who === 'vault') await checkVault(data, told);
      else if (who === 'workspace') await checkWorkspace(data, told, acknowledged[told.length]?.what);
      else if (told.length > 0) checkGit(data, told);
    } finally {
      await unmount(mount);
    }
    await run(['e2fsck', '-f', '-n', image]);
    return undefined;
  } catch (error) {
    return String(error).split('\n').slice(0, 5).join(' ');
  }
}
