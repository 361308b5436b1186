import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { makeFolders } from '../../server/io/make-folders.ts';

describe('makeFolders', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'devloop-folders-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('makes what is absent, and minds nothing that is there', () => {
    makeFolders(join(folder, 'a', 'b'));
    makeFolders(join(folder, 'a', 'b'));
    assert.ok(existsSync(join(folder, 'a', 'b')));
  });

  it('names a read-only file system as that, at any depth', () => {
    const mount = join(folder, 'mount');
    mkdirSync(mount);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', mount]);
    try {
      assert.throws(() => makeFolders(join(mount, 'a')), { code: 'EROFS' });
      assert.throws(() => makeFolders(Buffer.from(join(mount, 'a', 'b', 'c'))), { code: 'EROFS' });
    } finally {
      execFileSync('umount', [mount]);
    }
  });

  it('fails where a file is in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(() => makeFolders(join(folder, 'file', 'a')), { code: 'ENOTDIR' });
  });
});
