import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const ENTRY = join(import.meta.dirname, '../../server/workspace/index.ts');

/** Every operation, while the user's own git works in the folder. */
const WORK = `
const { openWorkspaces } = await import(${JSON.stringify(ENTRY)});
const { writeFileSync } = await import('node:fs');
const [root, folder] = process.argv.slice(1);
const workspace = openWorkspaces({ stateDir: folder + '/state', home: folder + '/home', maxTurns: 2, exclude: [], include: [], largeFileBytes: 1000, now: () => new Date() }).open(root);
for (let i = 0; i < 4; i++) {
  await workspace.runTurn({}, async () => writeFileSync(root + '/sub/f', 'turn ' + i));
  const plan = await workspace.planPreTurn(0);
  await workspace.applyRestore(plan.id, plan.digest);
  await workspace.undoRestore();
}
await workspace.status();
await workspace.verify();
await workspace.purge('sub/f');
await workspace.prune();
await workspace.close();`;

test('nothing below any .git is opened for writing, renamed or removed, and the user’s git goes on', () =>
  inTempFolder((folder) => {
    const [root, log] = [join(folder, 'user/work'), join(folder, 'strace')];
    mkdirSync(join(root, 'sub'), { recursive: true });
    for (const at of [root, join(root, 'sub')]) {
      rawGit(at, ['init', '-q']);
      writeFileSync(join(at, 'f'), '1');
      rawGit(at, ['add', 'f']);
      rawGit(at, ['commit', '-qm', 'x']);
    }
    const before = gitBytes(root);
    const calls =
      'trace=openat,open,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,utimensat';
    const node = [
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      WORK,
      root,
      folder,
    ];
    const run = spawnSync('strace', ['-f', '-y', '-e', calls, '-o', log, ...node], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    const wrote = readFileSync(log, 'latin1')
      .split('\n')
      .filter((line) => line.includes(`${root}/`) && /\/\.git(["/]|$)/.test(line))
      .filter((line) => !/O_RDONLY/.test(line) || /O_CREAT|O_TRUNC/.test(line));
    assert.deepEqual(wrote, []);
    assert.equal(gitBytes(root), before);
  }));

function gitBytes(root: string): string {
  return execFileSync('sh', ['-c', 'find . -path "*/.git/*" -type f -exec sha1sum {} + | sort'], {
    cwd: root,
    encoding: 'utf8',
  });
}
