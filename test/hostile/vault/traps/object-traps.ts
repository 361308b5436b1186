import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { rawGit } from '../../../support/raw-git.ts';
import type { HostileFacts, HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

const WHICH = ['first', 'head', 'tree', 'blob', 'tag'] as const satisfies readonly (keyof HostileFacts)[];

/** What can be done to the file of one object. */
const HARMS: Readonly<Record<string, (path: string, place: HostilePlace) => void>> = {
  removed: (path) => rmSync(path),
  emptied: (path) => truncateSync(path, 0),
  'cut short': (path) => truncateSync(path, 20),
  garbage: (path) => writeFileSync(path, 'garbage'),
  'a pipe': (path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a link to outside': (path, { victim }) => {
    rmSync(path);
    symlinkSync(join(victim, 'file'), path);
  },
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(path);
  },
};

/** Damage to the objects that main, a tag and the first commit stand on, one loose file at a time, and to packs. */
export const OBJECT_TRAPS: readonly Trap[] = [
  ...WHICH.flatMap((which) =>
    Object.entries(HARMS).map(
      ([harm, act]): Trap => ({
        name: `the ${which} object ${harm}`,
        where: 'git',
        alone: true,
        plant: (place) => act(looseFile(place, place.facts[which]), place),
      }),
    ),
  ),
  {
    name: 'a blob with the content of another one',
    where: 'git',
    alone: true,
    plant: (place) => swap(place, 'blob', 'otherBlob'),
  },
  {
    name: 'main’s commit with the content of the first one',
    where: 'git',
    alone: true,
    plant: (place) => swap(place, 'head', 'first'),
  },
  {
    name: 'main’s tree with the content of a blob',
    where: 'git',
    alone: true,
    plant: (place) => swap(place, 'tree', 'blob'),
  },
  { name: 'an object of 64 MiB of zeros behind a small file', where: 'git', alone: true, plant: bomb },
  {
    name: 'all packs cut short',
    where: 'git',
    alone: true,
    plant: (place) => harmPacks(place, (path) => truncateSync(path, 100)),
  },
  { name: 'all packs removed', where: 'git', alone: true, plant: (place) => harmPacks(place, (path) => rmSync(path)) },
  {
    name: 'all pack indexes garbage',
    where: 'git',
    alone: true,
    plant: (place) => harmPacks(place, (path) => path.endsWith('.idx') && writeFileSync(path, 'garbage')),
  },
  {
    name: 'all pack indexes pipes',
    where: 'git',
    alone: true,
    plant: (place) =>
      harmPacks(place, (path) => {
        if (!path.endsWith('.idx')) return;
        rmSync(path);
        execFileSync('mkfifo', [path]);
      }),
  },
  {
    name: 'a replacement for main’s commit',
    where: 'git',
    plant: ({ git, facts }) => void git('replace', facts.head, facts.first),
  },
  {
    name: 'a replacement for a blob',
    where: 'git',
    plant: ({ git, facts }) => void git('replace', facts.blob, facts.otherBlob),
  },
];

/** Makes sure that an object has a file of its own, packed or not, and gives its path. */
function looseFile({ gitDir, git }: HostilePlace, oid: string): string {
  const path = join(gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
  if (!existsSync(path)) unpackAll(gitDir, git);
  chmodSync(path, 0o644);
  return path;
}

function unpackAll(gitDir: string, git: HostilePlace['git']): void {
  const folder = join(gitDir, 'objects/pack');
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.pack')) {
      rmSync(join(folder, name));
      continue;
    }
    const bytes = readFileSync(join(folder, name));
    rmSync(join(folder, name));
    rawGit(git('rev-parse', '--show-toplevel'), bytes)('unpack-objects', '-q');
  }
}

function swap(place: HostilePlace, target: keyof HostileFacts, source: keyof HostileFacts): void {
  const [to, from] = [looseFile(place, place.facts[target]), looseFile(place, place.facts[source])];
  rmSync(to);
  copyFileSync(from, to);
}

function bomb(place: HostilePlace): void {
  const oid = rawGit(place.root, Buffer.alloc(64 * 1024 * 1024))('hash-object', '-w', '--stdin');
  const path = looseFile(place, place.facts.blob);
  rmSync(path);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(place.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)), path);
}

function harmPacks({ gitDir }: HostilePlace, harm: (path: string) => unknown): void {
  const folder = join(gitDir, 'objects/pack');
  for (const name of readdirSync(folder)) {
    chmodSync(join(folder, name), 0o644);
    harm(join(folder, name));
  }
}
