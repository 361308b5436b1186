import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { bytePathFromText, pathText } from '../../../server/domain/byte-path.ts';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { readGit } from '../../../server/git/stream.ts';
import { type ArchiveOptions, archive } from '../../../server/vault/archive/archive.ts';
import { archiveToFile } from '../../../server/vault/archive/archive-file.ts';
import { archiveManifest } from '../../../server/vault/archive/archive-manifest.ts';
import { syncMirror } from '../../../server/vault/mirror/mirror.ts';
import { readZip } from '../../support/read-zip.ts';
import { type VaultUnderTest, vaultUnderTest } from '../../support/vault-under-test.ts';

const NAMES = [
  'plain.txt',
  'with space',
  'quote"\'',
  'new\nline',
  '日本/中文.md',
  '-dash',
  ':(top)',
  `${'long'.repeat(40)}/${'x'.repeat(200)}`,
  '.gitattributes',
  'empty',
];

function filled(t: TestContext): VaultUnderTest {
  const made = vaultUnderTest(t);
  const contents = Object.fromEntries(
    NAMES.map((name) => [bytePathFromText(name), name === 'empty' ? '' : `${name}\n$Format:%H$\n`]),
  );
  made.commit('a', {
    ...contents,
    '.gitattributes': '* export-ignore export-subst text eol=crlf ident filter=x\n',
    run: '#!/bin/sh\n',
  });
  chmodSync(join(made.root, 'run'), 0o755);
  symlinkSync('plain.txt', join(made.root, 'link'));
  symlinkSync(`far/${'y'.repeat(150)}`, join(made.root, 'long-link'));
  writeFileSync(join(made.root, 'untracked'), 'x');
  writeFileSync(join(made.root, '.git/info/exclude'), 'untracked\n');
  made.commit('b');
  return made;
}

async function bytes(made: VaultUnderTest, options: ArchiveOptions, rev = 'HEAD'): Promise<Buffer> {
  return Buffer.concat(await (await archive(made.vault(), rev, options)).toArray());
}

/** Every file of a folder by its name: kind, exec bit and content. */
function contentOf(folder: string, below = ''): Readonly<Record<string, string>> {
  const found = readdirSync(join(folder, below)).flatMap((name): readonly (readonly [string, string])[] => {
    const [path, full] = [join(below, name), join(folder, below, name)];
    const stats = lstatSync(full);
    if (stats.isDirectory()) return Object.entries(contentOf(folder, path));
    if (stats.isSymbolicLink()) return [[path, `link ${readlinkSync(full)}`]];
    return [[path, `${(stats.mode & 0o100) !== 0} ${readFileSync(full, 'base64')}`]];
  });
  return Object.fromEntries(found);
}

function expected({ root }: VaultUnderTest): Readonly<Record<string, string>> {
  const all = Object.entries(contentOf(root));
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('.git/') && name !== 'untracked'));
}

for (const format of ['tar', 'tar.gz', 'zip'] as const) {
  test(`a ${format} unpacks to exactly the tracked files: names, links, exec bits, bytes`, async (t) => {
    const made = filled(t);
    const out = join(made.folder, 'out');
    mkdirSync(out);
    const archived = await bytes(made, { format });
    if (format === 'zip') unzip(archived, out);
    else execFileSync('tar', [format === 'tar' ? '-xpf' : '-xzpf', '-', '-C', out], { input: archived });
    assert.deepEqual(contentOf(out), expected(made));
  });

  test(`a ${format} of one revision is the same each time, and holds times of the commit only`, async (t) => {
    const made = filled(t);
    const [one, two] = [await bytes(made, { format }), await bytes(made, { format })];
    assert.ok(one.equals(two));
  });

  test(`a ${format} with swapped content breaks off with an error`, async (t) => {
    const made = filled(t);
    const file = (name: string): string => {
      const oid = made.oid(`HEAD:${name}`);
      return join(made.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
    };
    rmSync(file('plain.txt'));
    copyFileSync(file('run'), file('plain.txt'));
    await assert.rejects(bytes(made, { format }), (error) => isDevLoopError(error, 'vault_damaged'));
  });

  test(`a ${format} of what the mirror holds is whole, whatever became of the project’s own objects`, async (t) => {
    const made = filled(t);
    await syncMirror(made.vault());
    const whole = await bytes(made, { format });
    const file = (name: string): string => {
      const oid = made.oid(`HEAD:${name}`);
      return join(made.gitDir, 'objects', oid.slice(0, 2), oid.slice(2));
    };
    rmSync(file('plain.txt'));
    copyFileSync(file('run'), file('plain.txt'));
    for (const gone of ['run', 'link', 'empty']) rmSync(file(gone));
    assert.ok((await bytes(made, { format })).equals(whole));
  });

  test(`a ${format} of a history with a hole breaks off with an error`, async (t) => {
    const made = filled(t);
    const oid = made.oid('HEAD:run');
    rmSync(join(made.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
    await assert.rejects(bytes(made, { format }), (error) => isDevLoopError(error, 'vault_damaged', 'git_failed'));
  });

  test(`a reader of a ${format} that goes away ends git`, async (t) => {
    const made = vaultUnderTest(t);
    made.commit('a', { a: randomText(3_000_000), b: randomText(3_000_000) });
    const stream = await archive(made.vault(), 'HEAD', { format });
    for await (const chunk of stream) {
      assert.ok(chunk.length > 0);
      break;
    }
    while (gitArchives(made.shadow) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });
}

test('an archive of a commit that the mirror does not hold yet has what is new in it, too', async (t) => {
  const made = filled(t);
  await syncMirror(made.vault());
  made.commit('c', { later: 'written later' });
  assert.ok((await bytes(made, { format: 'tar' })).includes('written later'));
});

test('a prefix is one leading folder, and nothing else', async (t) => {
  const made = filled(t);
  const names = execFileSync('tar', ['-tf', '-'], { input: await bytes(made, { format: 'tar', prefix: 'p-1' }) })
    .toString()
    .trim()
    .split('\n');
  assert.ok(names.every((name) => name.startsWith('p-1/')));
  for (const prefix of ['../x', '/etc', 'a/b', '--output=x', '', '.git', 'a\n']) {
    await assert.rejects(
      archive(made.vault(), 'HEAD', { format: 'tar', prefix }),
      (error) => isDevLoopError(error, 'path_refused'),
      prefix,
    );
  }
});

test('names that are no text come through, as do those that are no path elsewhere', async (t) => {
  const made = vaultUnderTest(t);
  const long = `${'d'.repeat(120)}/\xff${'x'.repeat(120)}`;
  const names = ['C:\\x', 'back\\slash', 'caf\xe9', long];
  made.commit('a', Object.fromEntries(names.map((name) => [name, name])));
  const tar = await bytes(made, { format: 'tar' });
  const list = execFileSync('tar', ['-tf', '-', '--quoting-style=literal'], { input: tar })
    .toString('latin1')
    .split('\n');
  assert.deepEqual(
    list.filter((name) => name !== '' && !name.endsWith('/')),
    names,
  );
  assert.deepEqual(
    readZip(await bytes(made, { format: 'zip' })).map(({ name }) => name.toString('latin1')),
    names,
  );
});

test('a tree with a name that leads out of it is refused', async (t) => {
  const made = vaultUnderTest(t);
  made.commit('a', { a: '1' });
  for (const name of ['..', '.git', '.GIT', 'git~1']) {
    const stdin = Buffer.concat([Buffer.from(`100644 ${name}\0`), Buffer.from(made.oid('HEAD:a'), 'hex')]);
    const tree = (await readGit(made.shadow, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], { stdin }))
      .toString()
      .trim();
    const commit = made.git('commit-tree', '-m', 'x', tree);
    await assert.rejects(
      bytes(made, { format: 'tar' }, commit),
      (error) => isDevLoopError(error, 'vault_damaged'),
      name,
    );
  }
});

test('a revision without files gives an empty archive', async (t) => {
  const made = vaultUnderTest(t);
  made.commit('empty');
  assert.equal(execFileSync('tar', ['-tf', '-'], { input: await bytes(made, { format: 'tar' }) }).toString(), '');
  assert.ok((await bytes(made, { format: 'zip' })).subarray(0, 4).equals(Buffer.from('PK\x05\x06', 'latin1')));
  assert.ok(gunzipSync(await bytes(made, { format: 'tar.gz' })).length > 0);
});

test('an archive goes to a file whole, or not at all', async (t) => {
  const made = filled(t);
  const path = join(made.folder, 'out.tar');
  await archiveToFile(made.vault(), 'HEAD', { format: 'tar', path });
  assert.ok(readFileSync(path).equals(await bytes(made, { format: 'tar' })));
  const oid = made.oid('HEAD:run');
  rmSync(join(made.gitDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  const broken = join(made.folder, 'broken.tar');
  await assert.rejects(archiveToFile(made.vault(), 'HEAD', { format: 'tar', path: broken }));
  assert.ok(!existsSync(broken));
  assert.deepEqual(
    readdirSync(made.folder).filter((name) => name.endsWith('.tmp')),
    [],
  );
});

test('the manifest names the tree and the hash of every file', async (t) => {
  const made = filled(t);
  const manifest = await archiveManifest(made.vault(), 'HEAD');
  assert.deepEqual([manifest.commit, manifest.tree], [made.oid('HEAD'), made.oid('HEAD^{tree}')]);
  const sum = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
  assert.equal(manifest.files.length, Object.keys(expected(made)).length);
  for (const { path, kind, size, sha256 } of manifest.files) {
    const file = join(made.root, pathText(path).path);
    const content = kind === 'link' ? readlinkSync(file) : readFileSync(file);
    assert.deepEqual([sha256, size], [sum(content), content.length], path);
  }
});

function unzip(zip: Buffer, out: string): void {
  for (const { name, mode, content } of readZip(zip)) {
    const path = join(out, name.toString());
    mkdirSync(dirname(path), { recursive: true });
    if ((mode & 0o170000) === 0o120000) symlinkSync(content, path);
    else writeFileSync(path, content, { mode: mode & 0o777 });
  }
}

const randomText = (length: number): string =>
  createHash('shake256', { outputLength: length / 2 })
    .update('seed')
    .digest('hex');

function gitArchives(shadow: string): number {
  const script =
    'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$1" ] && tr "\\0" " " < $p/cmdline && echo; done; true';
  return execFileSync('sh', ['-c', script, 'sh', shadow])
    .toString()
    .split('\n')
    .filter((line) => line.includes('archive')).length;
}
