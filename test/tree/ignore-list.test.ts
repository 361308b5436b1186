import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { parseIgnoreList } from '../../server/tree/ignore-list.ts';

const repository = mkdtempSync(join(tmpdir(), 'ignore-'));
const env = { PATH: process.env.PATH, HOME: repository, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
execFileSync('git', ['init', '-q', repository], { env });
after(() => rmSync(repository, { recursive: true, force: true }));

const FOLDERS = ['a', 'a/b', 'b', 'b/a', 'b/a/b', 'ab', 'dir.d', 'dir.d/a'];
const FILES = [
  'a/a',
  'a/b/c',
  'b/a/b/a',
  'ab/a.o',
  'abc',
  '-x',
  '[',
  ']',
  'a b',
  'x ',
  '!n',
  '#h',
  '\\',
  'a-z',
  'A',
  '1',
  'dir.d/a/*',
  '.x',
  '?',
  'b/ab',
  'b/a/a.o',
];
for (const folder of FOLDERS) mkdirSync(join(repository, folder), { recursive: true });
for (const file of FILES) writeFileSync(join(repository, file), '');

/** What git says for each path: the text of the deciding pattern, or nothing. */
function gitSays(content: string): Map<string, string> {
  writeFileSync(join(repository, '.gitignore'), Buffer.from(content, 'latin1'));
  const input = [...FOLDERS, ...FILES].join('\0');
  const { stdout: out } = spawnSync('git', ['check-ignore', '-z', '-v', '-n', '--no-index', '--stdin'], {
    cwd: repository,
    env,
    input,
  });
  const fields = out.toString('latin1').split('\0');
  const said = new Map<string, string>();
  for (let i = 0; i + 3 < fields.length; i += 4)
    if (fields[i] !== '') said.set(fields[i + 3] ?? '', `${fields[i + 1]}:${fields[i + 2]}`);
  return said;
}

/** The same by our rules, with git's descent: what lies below an ignored folder is ignored by the folder's rule. */
function weSay(content: string): Map<string, string> {
  const list = parseIgnoreList(content, '.gitignore');
  const said = new Map<string, string>();
  for (const path of [...FOLDERS, ...FILES]) {
    const names = path.split('/');
    for (let depth = 1; depth <= names.length; depth++) {
      const below = names.slice(0, depth).join('/');
      const rule = list.find(below, names[depth - 1] ?? '', depth < names.length || FOLDERS.includes(path));
      if (rule !== undefined && (depth === names.length || !rule.negated)) {
        said.set(path, `${rule.line}:${rule.pattern}`);
        break;
      }
    }
  }
  return said;
}

const piece = fc.constantFrom(
  'a',
  'b',
  'c',
  'ab',
  '*',
  '**',
  '/',
  '/',
  '?',
  '[',
  ']',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-c]',
  '[]-]',
  '[[:alpha:]]',
  '[[:x:]]',
  '[[:alnum:]-]',
  '[a',
  '\\',
  '\\a',
  '!',
  '#',
  ' ',
  '\\ ',
  '.o',
  '.',
  '-',
  'dir.d',
  'x',
  '1',
  'A',
  '\r',
  '[\\]]',
  '**/',
  '/**',
  '/**/',
  '[!-z]',
  '[:alpha:]',
  '\xe9',
);
const line = fc.oneof(
  fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('')),
  fc.string({ unit: fc.constantFrom(...'ab/*?[]!\\-^:. '), minLength: 1, maxLength: 8 }),
);

test('every rule means what it means to git', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const content = lines.join('\n');
      assert.deepEqual(weSay(content), gitSays(content));
    }),
    { numRuns: Number(process.env.RUNS ?? 400) },
  );
});

test('a pattern of many stars is decided at once', () => {
  const list = parseIgnoreList(`${'*a'.repeat(40)}*b`, 'x');
  assert.equal(list.find('a'.repeat(4000), 'a'.repeat(4000), false), undefined);
});

test('a rule names its file, its line and its text', () => {
  const list = parseIgnoreList('# comment\n\n*.log\n!keep.log\n', 'units/.gitignore');
  assert.deepEqual(
    { ...list.find('x/a.log', 'a.log', false), matches: undefined },
    {
      pattern: '*.log',
      source: 'units/.gitignore',
      line: 3,
      negated: false,
      foldersOnly: false,
      byName: true,
      matches: undefined,
    },
  );
  assert.equal(list.find('keep.log', 'keep.log', false)?.negated, true);
});
