import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rawRepository } from '../../../support/raw-git.ts';
import { writeBytesAt } from '../../../support/shadow-place.ts';
import type { HostilePlace } from '../hostile-place.ts';
import type { Trap } from '../trap.ts';

const CODE = 'units/a/code';
const at = ({ root }: HostilePlace, path: string): string => join(root, path);
const tree = (name: string, plant: Trap['plant']): Trap => ({ name, where: 'tree', plant });
const alone = (name: string, plant: Trap['plant']): Trap => ({ ...tree(name, plant), alone: true });

const ATTRIBUTES = [
  '* filter=x',
  '* diff=x',
  '* merge=x',
  '* export-ignore',
  '* export-subst',
  '* ident',
  '* text eol=crlf',
  '* working-tree-encoding=UTF-16',
  '* -text -diff',
  '* binary',
  '[attr]x export-ignore\n* x',
  '* delta=0',
];
const NAMES: Readonly<Record<string, string>> = {
  'a newline': 'new\nline',
  'a leading dash': '--output=x',
  'a colon that git would take for a rule': ':(exclude)*',
  'bytes that are no text': 'latin\xe9\xff',
  '255 bytes': 'n'.repeat(255),
  'a trailing blank and dot': 'x. ',
  'a backslash': 'a\\b',
  'a drive': 'C:x',
  quotes: '"q\'',
  'a control character': 'bell\x07esc\x1b[31m',
};
const DOT_GITS = [
  '.GIT',
  '.git ',
  '.git.',
  'git~1',
  'GIT~1',
  '.git::$INDEX_ALLOCATION',
  '.g\xe2\x80\x8cit',
  '.gitmodules',
  '.gitattributes ',
];

/** Files that are none, names that pass for something else, rules for git that the tree itself brings. */
export const TREE_TRAPS: readonly Trap[] = [
  ...ATTRIBUTES.map((line) =>
    tree(`attributes ${JSON.stringify(line)}`, (place) => writeFileSync(at(place, '.gitattributes'), `${line}\n`)),
  ),
  ...Object.entries(NAMES).map(([what, name]) =>
    tree(`a name with ${what}`, ({ root }) => writeBytesAt(root, `${CODE}/${name}`, 'x')),
  ),
  ...DOT_GITS.map((name) =>
    tree(`a file named ${JSON.stringify(name)}`, ({ root }) => writeBytesAt(root, `${CODE}/${name}`, 'x')),
  ),
  ...DOT_GITS.map((name) =>
    tree(`a folder named ${JSON.stringify(name)}`, ({ root }) =>
      writeBytesAt(root, `${CODE}/deep/${name}/config`, 'x'),
    ),
  ),
  ...['.gitignore', '.gitattributes', '.gitmodules', '.mailmap'].flatMap((name): readonly Trap[] => [
    tree(`${name} a pipe`, (place) => replace(place, name, (path) => void execFileSync('mkfifo', [path]))),
    tree(`${name} a link to outside`, (place) =>
      replace(place, name, (path) => symlinkSync(join(place.victim, 'file'), path)),
    ),
    tree(`${name} a link to itself`, (place) => replace(place, name, (path) => symlinkSync(name, path))),
    tree(`${name} a folder`, (place) => replace(place, name, (path) => mkdirSync(path))),
    tree(`${name} of a megabyte without a newline`, (place) =>
      replace(place, name, (path) => writeFileSync(path, '*'.repeat(1_000_000))),
    ),
  ]),
  tree('a pipe', (place) => void execFileSync('mkfifo', [at(place, `${CODE}/pipe`)])),
  tree('a socket', (place) => socket(at(place, CODE))),
  tree('a device', (place) => device(at(place, `${CODE}/device`))),
  tree('a link out of the tree', (place) => symlinkSync(place.victim, at(place, `${CODE}/out`))),
  tree('a link to itself', (place) => symlinkSync('self', at(place, `${CODE}/self`))),
  tree('a link into .git', (place) => symlinkSync('../../../.git/config', at(place, `${CODE}/config`))),
  alone('a folder replaced by a link to outside', (place) =>
    replace(place, CODE, (path) => symlinkSync(place.victim, path)),
  ),
  tree('a second name of a file outside', (place) => linkSync(join(place.victim, 'file'), at(place, `${CODE}/linked`))),
  tree('a file over the size guard', (place) => writeFileSync(at(place, `${CODE}/large`), Buffer.alloc(2_000_000))),
  tree('a sparse file of 2 GB', (place) => void execFileSync('truncate', ['-s', '2G', at(place, `${CODE}/sparse`)])),
  tree('an ignore rule that takes a second a name', (place) =>
    writeFileSync(at(place, '.gitignore'), `${'*a'.repeat(40)}b\n`),
  ),
  tree('a message of trailers in a mailmap', (place) =>
    writeFileSync(at(place, '.mailmap'), 'Evil <evil@example.org> <devloop@devloop.local>\n'),
  ),
  tree('submodules with commands', (place) =>
    writeFileSync(
      at(place, '.gitmodules'),
      `[submodule "x"]\n\tpath = ${CODE}\n\turl = ext::${place.payload}\n\tupdate = !${place.payload}\n`,
    ),
  ),
  tree('150 folders in each other', ({ root }) =>
    mkdirSync(join(root, CODE, ...Array.from({ length: 150 }, () => 'd')), { recursive: true }),
  ),
  tree('1,000 folders in each other, deeper than a path may be long', (place) => {
    const program =
      "for (let i = 0; i < 1000; i++) { fs.mkdirSync('deeper'); process.chdir('deeper'); } fs.writeFileSync('x', 'x')";
    execFileSync(process.execPath, ['-e', program], { cwd: at(place, CODE) });
  }),
  {
    ...alone('200,000 small files', (place) => {
      for (let i = 0; i < 200; i++) {
        mkdirSync(at(place, `${CODE}/many/${i}`), { recursive: true });
        for (let j = 0; j < 1000; j++) writeFileSync(at(place, `${CODE}/many/${i}/${j}`), `${i} ${j}\n`);
      }
    }),
    large: true,
  },
  tree('a file that cannot be read', (place) => {
    writeFileSync(at(place, `${CODE}/closed`), 'x');
    chmodSync(at(place, `${CODE}/closed`), 0);
  }),
  {
    name: 'a nested repository without a commit',
    where: 'nested',
    plant: (place) => void rawRepository(at(place, `${CODE}/empty-repository`)),
  },
  { name: 'a nested bare repository with settings', where: 'nested', plant: nestedBare },
  {
    name: 'a file that leads to another git dir',
    where: 'nested',
    plant: (place) => writeFileSync(at(place, `${CODE}/.git`), 'gitdir: /\n'),
  },
  {
    name: 'a nested git dir that is a link',
    where: 'nested',
    plant: (place) => symlinkSync(place.gitDir, at(place, `${CODE}/.git`)),
  },
];

function replace(place: HostilePlace, path: string, make: (full: string) => void): void {
  rmSync(at(place, path), { recursive: true, force: true });
  mkdirSync(dirname(at(place, path)), { recursive: true });
  make(at(place, path));
}

/** What a killed server leaves. Its address may not be longer than a hundred letters: it is made where it is to be. */
function socket(folder: string): void {
  const program = "require('net').createServer().listen('socket', () => process.kill(process.pid, 'SIGKILL'))";
  spawnSync(process.execPath, ['-e', program], { cwd: folder });
}

/** A device can be made by root only; for others the name is taken by a folder. */
function device(path: string): void {
  try {
    execFileSync('mknod', [path, 'c', '1', '5'], { stdio: 'ignore' });
  } catch {
    mkdirSync(path);
  }
}

function nestedBare(place: HostilePlace): void {
  const folder = at(place, `${CODE}/bare`);
  mkdirSync(folder, { recursive: true });
  rawRepository(join(place.folder, 'bare-model'));
  execFileSync('cp', ['-r', `${join(place.folder, 'bare-model', '.git')}/.`, folder]);
  appendFileSync(
    join(folder, 'config'),
    `[core]\n\tfsmonitor = ${place.payload}\n\tbare = true\n[diff]\n\texternal = ${place.payload}\n`,
  );
}
