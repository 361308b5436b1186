import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

const put = ({ gitDir }: HostilePlace, path: string, content: string): void => {
  mkdirSync(dirname(join(gitDir, path)), { recursive: true });
  writeFileSync(join(gitDir, path), content, 'latin1');
};

/** Refs that lead elsewhere or to nothing, and names that pass for something else. */
export const REF_TRAPS: readonly Trap[] = [
  {
    name: 'main moved back',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/heads/main', `${place.facts.first}\n`),
  },
  {
    name: 'main at an object that is not there',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/heads/main', `${'1'.repeat(40)}\n`),
  },
  {
    name: 'main at a blob',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/heads/main', `${place.facts.blob}\n`),
  },
  {
    name: 'main at itself',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/heads/main', 'ref: refs/heads/main\n'),
  },
  {
    name: 'main at a file outside',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/heads/main', 'ref: ../../../../victim/file\n'),
  },
  { name: 'main garbage', where: 'git', alone: true, plant: (place) => put(place, 'refs/heads/main', '\0\xff\n') },
  { name: 'main empty', where: 'git', alone: true, plant: (place) => put(place, 'refs/heads/main', '') },
  {
    name: 'main of a megabyte',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/heads/main', 'x'.repeat(1_000_000)),
  },
  { name: 'HEAD detached', where: 'git', alone: true, plant: (place) => put(place, 'HEAD', `${place.facts.first}\n`) },
  {
    name: 'HEAD on a branch outside',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'HEAD', 'ref: ../../victim/file\n'),
  },
  {
    name: 'a tag named like the branch',
    where: 'git',
    plant: (place) => put(place, 'refs/tags/main', `${place.facts.first}\n`),
  },
  {
    name: 'a branch named like main’s commit',
    where: 'git',
    plant: (place) => put(place, `refs/heads/${place.facts.head}`, `${place.facts.first}\n`),
  },
  {
    name: 'a tag named like a short id',
    where: 'git',
    plant: (place) => put(place, `refs/tags/${place.facts.head.slice(0, 7)}`, `${place.facts.first}\n`),
  },
  {
    name: 'a branch named HEAD',
    where: 'git',
    plant: (place) => put(place, 'refs/heads/HEAD', `${place.facts.first}\n`),
  },
  {
    name: 'refs named like flags',
    where: 'git',
    plant: (place) => {
      for (const name of ['--output=x', '-d', '--exec=y']) put(place, `refs/tags/${name}`, `${place.facts.first}\n`);
    },
  },
  {
    name: 'refs with names that are no text',
    where: 'git',
    plant: (place) => put(place, 'refs/tags/a\x01b', `${place.facts.first}\n`),
  },
  {
    name: 'packed refs garbage',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'packed-refs', 'garbage\0\n'),
  },
  {
    name: 'packed refs of 100,000 lines',
    where: 'git',
    alone: true,
    plant: (place) =>
      put(
        place,
        'packed-refs',
        Array.from({ length: 100_000 }, (_, i) => `${place.facts.first} refs/tags/t${i}\n`).join(''),
      ),
  },
  {
    name: 'a tag moved',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/tags/prd-rev-1', `${place.facts.first}\n`),
  },
  {
    name: 'an attempt at nothing',
    where: 'git',
    alone: true,
    plant: (place) => put(place, 'refs/devloop/attempts/a/1/1', `${'1'.repeat(40)}\n`),
  },
  {
    name: 'a rescue that nobody made',
    where: 'git',
    plant: (place) => put(place, 'refs/devloop/rescue/x', `${place.facts.first}\n`),
  },
];
