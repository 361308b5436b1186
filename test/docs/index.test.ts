import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../support/running-server.ts';

const DOCS = join(ROOT, 'docs');
const links = (path: string): readonly string[] =>
  [...readFileSync(path, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, target]) => target ?? []);

describe('the documentation', () => {
  const files = globSync('**/*.md', { cwd: DOCS }).sort();

  it('is listed whole in its index', () => {
    const listed = links(join(DOCS, 'index.md')).filter((target) => !target.startsWith('..'));
    assert.deepEqual(
      files.filter((file) => file !== 'index.md' && !listed.includes(file)),
      [],
    );
  });

  for (const file of [...files.map((name) => join(DOCS, name)), join(ROOT, 'README.md')]) {
    it(`leads only to files that there are: ${relative(ROOT, file)}`, () => {
      const local = links(file).filter((target) => !/^[a-z]+:/.test(target));
      assert.deepEqual(
        local.filter((target) => !existsSync(join(dirname(file), target))),
        [],
      );
    });
  }
});
