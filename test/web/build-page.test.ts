import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bareEnvironment, ROOT } from '../support/running-server.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const build = (folder: string, home: string): string =>
  execFileSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(ROOT, 'scripts/build-page.ts'), folder],
    {
      encoding: 'utf8',
      env: bareEnvironment(home),
    },
  );

describe('building the page', () => {
  it('makes files that any server can serve, says nothing, and does nothing where they are current', async () => {
    await inTempFolder((home) => {
      const folder = join(home, 'page');
      mkdirSync(folder);
      assert.equal(build(folder, home), '');
      const html = readFileSync(join(folder, 'index.html'), 'utf8');
      const named = [...html.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, path = '']) => path);
      assert.ok(named.length >= 3);
      assert.deepEqual(
        named.filter((path) => !existsSync(join(folder, path))),
        [],
      );
      const { mtimeMs } = statSync(join(folder, 'index.html'));
      assert.equal(build(folder, home), '');
      assert.equal(statSync(join(folder, 'index.html')).mtimeMs, mtimeMs);
      assert.deepEqual(readdirSync(home), ['page'], 'nothing is left beside it');
    });
  });
});
