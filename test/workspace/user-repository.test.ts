import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BytePath } from '../../server/domain/byte-path.ts';
import { readUserRepository } from '../../server/workspace/user-repository.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const read = (folder: string, path = '') => readUserRepository(folder, path as BytePath);

test('branch, head, remote and index are read, loose and packed', () =>
  inTempFolder((folder) => {
    rawGit(folder, ['init', '-q', '-b', 'topic/x']);
    rawGit(folder, ['remote', 'add', 'origin', 'git@Host.example.org:a/b.git']);
    assert.deepEqual(read(folder), {
      kind: 'repo',
      branch: 'topic/x',
      remoteHost: 'host.example.org',
      tracked: undefined,
    });
    writeFileSync(join(folder, 'f'), 'x');
    rawGit(folder, ['add', 'f']);
    rawGit(folder, ['commit', '-qm', 'x']);
    const head = rawGit(folder, ['rev-parse', 'HEAD']).trim();
    for (const step of [[], ['pack-refs', '--all']]) {
      if (step.length > 0) rawGit(folder, step);
      const { branch, head: found, tracked } = read(folder) ?? {};
      assert.deepEqual([branch, found, tracked?.map(({ path }) => path)], ['topic/x', head, ['f']]);
    }
    rawGit(folder, ['checkout', '-q', '--detach']);
    assert.deepEqual([read(folder)?.branch, read(folder)?.head], [undefined, head]);
  }));

test('of an address only the host is told', () =>
  inTempFolder((folder) => {
    rawGit(folder, ['init', '-q']);
    for (const [url, host] of [
      ['https://user:secret@example.org:8443/a.git', 'example.org'],
      ['ssh://git@example.org/a.git', 'example.org'],
      ['user:pass@example.org:a.git', 'example.org'],
      ['https://[::1]:80/a', '[::1]'],
      ['/srv/a.git', undefined],
    ] as const) {
      rawGit(folder, ['config', 'remote.origin.url', url]);
      assert.equal(read(folder)?.remoteHost, host, url);
    }
  }));

test('what is no repository, or a broken or hostile one, tells nothing and hangs nothing', () =>
  inTempFolder((folder) => {
    assert.equal(read(folder), undefined);
    writeFileSync(join(folder, '.git'), 'gitdir: /nowhere/modules/x\n');
    assert.deepEqual(read(folder), { kind: 'submodule', tracked: undefined });
    writeFileSync(join(folder, '.git'), 'garbage');
    assert.equal(read(folder), undefined);
    rmSync(join(folder, '.git'));
    execFileSync('mkfifo', [join(folder, '.git')]);
    assert.equal(read(folder), undefined);
    rmSync(join(folder, '.git'));
    mkdirSync(join(folder, '.git'));
    for (const name of ['HEAD', 'index', 'config', 'commondir']) execFileSync('mkfifo', [join(folder, '.git', name)]);
    assert.deepEqual(read(folder), { kind: 'repo', tracked: undefined });
    for (const name of ['HEAD', 'index', 'config', 'commondir']) rmSync(join(folder, '.git', name));
    writeFileSync(join(folder, '.git/index'), 'DIRC garbage');
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/../../../etc/passwd\n');
    assert.deepEqual(read(folder)?.tracked, undefined);
  }));
