import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

const FILES =
  'COMMIT_EDITMSG FETCH_HEAD HEAD MERGE_HEAD ORIG_HEAD config description index info/attributes info/exclude info/grafts logs/HEAD objects/info/alternates objects/info/commit-graph objects/info/packs objects/pack/multi-pack-index packed-refs refs/heads/main refs/tags/prd-rev-1 refs/tags/planted refs/stash shallow commondir config.worktree gc.pid'.split(
    ' ',
  );
const FOLDERS =
  'hooks info logs objects objects/info objects/pack refs refs/heads refs/tags refs/devloop worktrees modules'.split(
    ' ',
  );
const LOCKS =
  'HEAD.lock config.lock index.lock packed-refs.lock refs/heads/main.lock refs/tags/prd-rev-1.lock shallow.lock gc.pid.lock'.split(
    ' ',
  );

const at = ({ gitDir }: HostilePlace, path: string): string => join(gitDir, path);

/** Links, pipes and folders in place of what git reads and writes, files that lead it elsewhere, and locks that nobody holds. */
export const GIT_DIR_TRAPS: readonly Trap[] = [
  ...FILES.map(
    (path): Trap => ({
      name: `.git/${path} a link to outside`,
      where: 'git',
      alone: true,
      plant: (place) => replace(place, path, (full) => symlinkSync(join(place.victim, 'file'), full)),
    }),
  ),
  ...FILES.map(
    (path): Trap => ({
      name: `.git/${path} a link to nowhere outside`,
      where: 'git',
      alone: true,
      plant: (place) => replace(place, path, (full) => symlinkSync(join(place.victim, 'new'), full)),
    }),
  ),
  ...FILES.map(
    (path): Trap => ({
      name: `.git/${path} a pipe`,
      where: 'git',
      alone: true,
      plant: (place) => replace(place, path, pipe),
    }),
  ),
  ...FILES.map(
    (path): Trap => ({
      name: `.git/${path} a folder`,
      where: 'git',
      ...(/^refs\/(tags\/planted|stash)$/.test(path) && { harmless: true }),
      alone: true,
      plant: (place) => replace(place, path, (full) => mkdirSync(full)),
    }),
  ),
  ...FOLDERS.map(
    (path): Trap => ({
      name: `.git/${path} a link to a folder outside`,
      where: 'git',
      alone: true,
      plant: (place) => replace(place, path, (full) => symlinkSync(join(place.victim, 'below'), full)),
    }),
  ),
  ...FOLDERS.filter((path) => path.startsWith('objects') || path.startsWith('refs')).map(
    (path): Trap => ({
      name: `.git/${path} moved away and linked to`,
      where: 'git',
      alone: true,
      plant: (place) => moveAndLink(place, path),
    }),
  ),
  ...LOCKS.map(
    (path): Trap => ({
      name: `.git/${path} left behind`,
      where: 'git',
      ...(path === 'index.lock' && { harmless: true }),
      plant: (place) => put(place, path, ''),
    }),
  ),
  {
    name: '.git/objects/info/alternates to another repository',
    where: 'git',
    plant: (place) => put(place, 'objects/info/alternates', `${otherRepository(place)}/.git/objects\n`),
  },
  {
    name: '.git/commondir to another repository',
    where: 'git',
    plant: (place) => put(place, 'commondir', `${otherRepository(place)}/.git\n`),
  },
  { name: '.git/gitdir to elsewhere', where: 'git', plant: (place) => put(place, 'gitdir', '/\n') },
  {
    name: '.git/info/grafts that hide the history',
    where: 'git',
    plant: (place) => put(place, 'info/grafts', `${place.facts.head}\n`),
  },
  {
    name: '.git/shallow that cuts the history',
    where: 'git',
    plant: (place) => put(place, 'shallow', `${place.facts.head}\n`),
  },
  { name: 'a socket in .git', where: 'git', plant: (place) => socket(at(place, 'socket')) },
  {
    name: 'a commit-graph that is damaged',
    where: 'git',
    plant: (place) => put(place, 'objects/info/commit-graph', 'CGPH\x01\x01damaged'),
  },
  { name: 'a pack index without a pack, and a pack without an index', where: 'git', plant: strayPacks },
  {
    name: 'an index that is damaged',
    where: 'git',
    harmless: true,
    plant: (place) => put(place, 'index', 'DIRC\0\0\0\x02damaged'),
  },
  {
    name: 'an index that assumes files unchanged',
    where: 'git',
    harmless: true,
    plant: ({ git }) => void git('update-index', '--assume-unchanged', 'units/a/code/x.txt'),
  },
  {
    name: 'an index that leaves files out',
    where: 'git',
    harmless: true,
    plant: ({ git }) => void git('update-index', '--skip-worktree', 'units/a/code/x.txt'),
  },
  {
    name: 'a second worktree',
    where: 'git',
    plant: ({ git, folder }) => void git('worktree', 'add', '-q', '--detach', join(folder, 'second')),
  },
  { name: '.git removed', where: 'git', alone: true, plant: ({ gitDir }) => rmSync(gitDir, { recursive: true }) },
  {
    name: '.git a file that leads elsewhere',
    where: 'git',
    alone: true,
    plant: (place) => movedGit(place, (moved) => writeFileSync(place.gitDir, `gitdir: ${moved}\n`)),
  },
  {
    name: '.git a link',
    where: 'git',
    alone: true,
    plant: (place) => movedGit(place, (moved) => symlinkSync(moved, place.gitDir)),
  },
  {
    name: '.git an empty folder',
    where: 'git',
    alone: true,
    plant: (place) => movedGit(place, () => mkdirSync(place.gitDir)),
  },
  { name: '.git a pipe', where: 'git', alone: true, plant: (place) => movedGit(place, () => pipe(place.gitDir)) },
];

function put(place: HostilePlace, path: string, content: string): void {
  mkdirSync(dirname(at(place, path)), { recursive: true });
  rmSync(at(place, path), { recursive: true, force: true });
  writeFileSync(at(place, path), content, 'latin1');
}

function replace(place: HostilePlace, path: string, make: (full: string) => void): void {
  rmSync(at(place, path), { recursive: true, force: true });
  mkdirSync(dirname(at(place, path)), { recursive: true });
  make(at(place, path));
}

function moveAndLink(place: HostilePlace, path: string): void {
  const moved = join(place.folder, 'moved');
  if (existsSync(at(place, path))) renameSync(at(place, path), moved);
  else mkdirSync(moved);
  symlinkSync(moved, at(place, path));
}

function movedGit(place: HostilePlace, make: (moved: string) => void): void {
  const moved = join(place.folder, 'moved.git');
  renameSync(place.gitDir, moved);
  make(moved);
}

function pipe(path: string): void {
  execFileSync('mkfifo', [path]);
}

function socket(path: string): void {
  execFileSync(process.execPath, [
    '-e',
    'const s = require("node:net").createServer().listen(process.argv[1], () => process.exit())',
    path,
  ]);
  if (!existsSync(path)) mkdirSync(path);
}

function otherRepository({ folder, git }: HostilePlace): string {
  const other = join(folder, 'other');
  git('clone', '-q', '--no-local', '.', other);
  return other;
}

function strayPacks(place: HostilePlace): void {
  const folder = at(place, 'objects/pack');
  const [index] = readdirSync(folder).filter((name) => name.endsWith('.idx'));
  put(place, `objects/pack/pack-${'1'.repeat(40)}.idx`, 'damaged');
  put(place, `objects/pack/pack-${'2'.repeat(40)}.pack`, 'damaged');
  put(place, `objects/pack/pack-${'3'.repeat(40)}.pack`, 'damaged');
  put(place, `objects/pack/pack-${'3'.repeat(40)}.idx`, 'damaged');
  if (index !== undefined && !lstatSync(join(folder, index)).isFile()) throw new Error('the model has no pack');
}
