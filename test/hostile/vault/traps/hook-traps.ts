import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rawRepository } from '../../../support/raw-git.ts';
import type { HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

const HOOKS =
  'applypatch-msg commit-msg fsmonitor-watchman p4-changelist p4-post-changelist p4-pre-submit p4-prepare-changelist post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update'.split(
    ' ',
  );

/** Every hook that git knows, in `.git`, and all of them in a repository among the files. */
export const HOOK_TRAPS: readonly Trap[] = [
  ...HOOKS.map(
    (hook): Trap => ({
      name: `hook ${hook}`,
      where: 'git',
      plant: (place) => plant(place, join(place.gitDir, 'hooks', hook)),
    }),
  ),
  {
    name: 'hooks of a nested repository',
    where: 'nested',
    plant: (place) => {
      const folder = join(place.root, 'units/a/code/hooked');
      rawRepository(folder);
      for (const hook of HOOKS) plant(place, join(folder, '.git/hooks', hook));
    },
  },
  {
    name: 'the hooks folder a link',
    where: 'git',
    alone: true,
    plant: (place) => {
      for (const hook of HOOKS) plant(place, join(place.folder, 'hooks', hook));
      symlinkSync(join(place.folder, 'hooks'), join(place.gitDir, 'hooks'));
    },
  },
];

function plant({ payload }: HostilePlace, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec '${payload}' "$0"\n`, { mode: 0o755 });
}
