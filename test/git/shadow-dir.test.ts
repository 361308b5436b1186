import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { ensureShadowDir } from '../../server/git/shadow-dir.ts';
import { readGit } from '../../server/git/stream.ts';
import { rawGit, rawRepository } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

interface Place {
  readonly root: string;
  readonly gitDir: string;
  readonly stateDir: string;
  readonly shadow: string;
  readonly head: string;
  readonly marker: string;
}

function place(t: TestContext): Place {
  const folder = scratchFolder(t);
  const root = join(folder, 'project');
  const git = rawRepository(root);
  writeFileSync(join(root, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const [gitDir, stateDir] = [join(root, '.git'), join(folder, 'state')];
  return {
    root,
    gitDir,
    stateDir,
    shadow: ensureShadowDir({ gitDir, stateDir }),
    head: git('rev-parse', 'HEAD'),
    marker: join(folder, 'ran'),
  };
}

const patch = (shadow: string, head: string): Promise<Buffer> =>
  readGit(shadow, ['diff-tree', '--root', '-p', '--no-ext-diff', '--no-textconv', head]);

test('git reads objects and refs of the project through the shadow git dir', async (t) => {
  const { shadow, head } = place(t);
  assert.equal((await readGit(shadow, ['rev-parse', 'refs/heads/main'])).toString(), `${head}\n`);
  assert.match((await patch(shadow, head)).toString(), /\+one/);
});

test('refs that git packs through the shadow git dir land in the project', async (t) => {
  const { root, shadow, head } = place(t);
  await readGit(shadow, ['update-ref', 'refs/tags/t', head]);
  await readGit(shadow, ['pack-refs', '--all']);
  assert.match(readFileSync(join(root, '.git/packed-refs'), 'latin1'), /refs\/tags\/t/);
  assert.equal(rawGit(root)('rev-parse', 't'), head);
});

test('a shadow git dir that is right is left as it is', (t) => {
  const { gitDir, stateDir, shadow } = place(t);
  const before = readdirSync(shadow).map((name) => lstatSync(join(shadow, name)).ino);
  assert.equal(ensureShadowDir({ gitDir, stateDir }), shadow);
  assert.deepEqual(
    readdirSync(shadow).map((name) => lstatSync(join(shadow, name)).ino),
    before,
  );
});

test('what was changed in a shadow git dir is put right, what does not belong there is removed', (t) => {
  const { gitDir, stateDir, shadow } = place(t);
  writeFileSync(join(shadow, 'config'), '[core]\n\tfsmonitor = /bin/false\n');
  writeFileSync(join(shadow, 'hooks/post-checkout'), '#!/bin/sh\n');
  writeFileSync(join(shadow, 'info/grafts'), '');
  writeFileSync(join(shadow, 'shallow'), '');
  rmSync(join(shadow, 'objects'));
  mkdirSync(join(shadow, 'objects'));
  rmSync(join(shadow, 'HEAD'));
  symlinkSync('/etc/hostname', join(shadow, 'HEAD'));
  ensureShadowDir({ gitDir, stateDir });
  assert.doesNotMatch(readFileSync(join(shadow, 'config'), 'utf8'), /fsmonitor/);
  assert.deepEqual(readdirSync(join(shadow, 'hooks')), []);
  assert.deepEqual(readdirSync(join(shadow, 'info')), ['attributes']);
  assert.deepEqual(readdirSync(shadow).sort(), ['HEAD', 'config', 'hooks', 'info', 'objects', 'packed-refs', 'refs']);
  assert.equal(readlinkSync(join(shadow, 'objects')), join(gitDir, 'objects'));
  assert.ok(lstatSync(join(shadow, 'HEAD')).isFile());
});

test('a project that was moved is read at its new place', async (t) => {
  const { root, stateDir, head } = place(t);
  renameSync(root, `${root}-moved`);
  const shadow = ensureShadowDir({ gitDir: `${root}-moved/.git`, stateDir });
  assert.match((await patch(shadow, head)).toString(), /\+one/);
});

test('neither configuration nor hooks nor attributes of the project are read', async (t) => {
  const { root, shadow, head, marker } = place(t);
  const trap = join(root, 'trap');
  writeFileSync(trap, `#!/bin/sh\necho ran >> ${marker}\ncat\n`);
  chmodSync(trap, 0o755);
  const keys = [
    'core.fsmonitor',
    'diff.external',
    'core.pager',
    'diff.x.textconv',
    'diff.x.command',
    'filter.x.smudge',
    'core.sshCommand',
  ];
  writeFileSync(
    join(root, '.git/config'),
    `${keys.map((key) => section(key, trap)).join('')}[include]\n\tpath = ${root}/more\n`,
  );
  writeFileSync(join(root, '.git/info/attributes'), '* diff=x filter=x\n');
  writeFileSync(join(root, '.gitattributes'), '* diff=x filter=x -diff\n');
  writeFileSync(join(root, '.git/info/grafts'), 'damaged\n');
  writeFileSync(join(root, '.git/shallow'), 'damaged\n');
  assert.match((await patch(shadow, head)).toString(), /\+one/);
  assert.ok(!existsSync(marker));
});

test('a FIFO in place of HEAD, config, index, packed-refs or a branch holds up no command that is given ids', async (t) => {
  const { gitDir, shadow, head } = place(t);
  for (const name of [
    'HEAD',
    'config',
    'index',
    'packed-refs',
    'refs/heads/main',
    'refs/tags/t',
    'info/attributes',
    'info/grafts',
    'shallow',
    'commondir',
  ]) {
    rmSync(join(gitDir, name), { force: true });
    execFileSync('mkfifo', [join(gitDir, name)]);
  }
  assert.match((await patch(shadow, head)).toString(), /\+one/);
  assert.equal((await readGit(shadow, ['rev-list', '--end-of-options', head])).toString(), `${head}\n`);
});

test('a planted commit-graph and replace refs do not change the history that is shown', async (t) => {
  const { root, shadow, head } = place(t);
  const git = rawGit(root);
  git('commit', '-q', '--allow-empty', '-m', 'second');
  const second = git('rev-parse', 'HEAD');
  git('commit-graph', 'write', '--reachable');
  const graph = join(root, '.git/objects/info/commit-graph');
  chmodSync(graph, 0o644);
  writeFileSync(graph, readFileSync(graph).fill(0xff, 100, 200));
  git('replace', second, head);
  assert.equal((await readGit(shadow, ['rev-list', second])).toString(), `${second}\n${head}\n`);
});

test('an object folder that borrows from elsewhere is refused by name', async (t) => {
  const { gitDir, shadow, head } = place(t);
  writeFileSync(join(gitDir, 'objects/info/alternates'), '/nonexistent\n');
  await assert.rejects(patch(shadow, head), (error) => isDevLoopError(error, 'vault_tampered'));
});

function section(key: string, value: string): string {
  const [name, ...rest] = key.split('.');
  const last = rest.pop();
  return `[${name}${rest.length > 0 ? ` "${rest.join('.')}"` : ''}]\n\t${last} = ${value}\n`;
}
