import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { documentComparer } from '../../server/app-compare.ts';
import { openComparer } from '../../server/compare/index.ts';
import { docxOf } from '../support/documents/docx-of.ts';
import { hostileDocuments } from '../support/documents/hostile.ts';
import { pdfOf } from '../support/documents/pdf-of.ts';
import { discOf } from '../support/documents/png-of.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const path = process.env.PATH ?? '';
/** Where nobody listens. */
const ADDRESS = 'http://127.0.0.1:9';

describe('the processes that read documents', () => {
  it('read each kind in the sandbox, and draw in it', async () => {
    await inTempFolder(async (folder) => {
      const home = join(folder, 'home');
      mkdirSync(home);
      const comparer = documentComparer({ sandbox: 'required', path, hidden: [home], folder: join(home, 'own') });
      for (const [before, after] of [
        [docxOf(['a']), docxOf(['b'])],
        [pdfOf([['a']]), pdfOf([['b']])],
        [discOf([1, 2, 3]), discOf([200, 2, 3])],
      ] as const) {
        const sides = { path: 'x', before: async () => before, after: async () => after };
        const { comparison } = await comparer.compare(sides);
        assert.ok('read_under' in comparison && comparison.kind !== 'binary', JSON.stringify(comparison));
        assert.deepEqual(comparison.read_under, ['process', 'limits', 'permissions', 'bubblewrap']);
        if (before.toString('latin1', 0, 2) === 'PK') continue;
        const png = await comparer.draw({ ...sides, show: 'difference', page: 1 });
        assert.equal(png.toString('latin1', 1, 4), 'PNG');
      }
    });
  });

  it('open no address, write no file, start no program and read no secret, whatever a document says', async () => {
    await inTempFolder(async (folder) => {
      const secret = join(folder, 'secret.txt');
      writeFileSync(secret, 'secret');
      const calls = join(folder, 'calls');
      const watched = ['strace', '-f', '-qq', '-s', '300', '-e', 'trace=%file,%network,execve', '-o', calls];
      const sandbox = {
        layers: [],
        path,
        confine: ({ argv }: { readonly argv: readonly string[] }) => [...watched, ...argv],
      };
      const comparer = openComparer({ folder: join(folder, 'own'), sandbox: async () => sandbox });
      const named = /network|file|scripts|lead out|macros/;
      const documents = hostileDocuments({ address: ADDRESS, secret }).filter(({ name }) => named.test(name));
      assert.ok(documents.length >= 6);
      for (const { name, make } of documents) {
        const bytes = make();
        await comparer.compare({ path: name, before: async () => undefined, after: async () => bytes });
        const lines = readFileSync(calls, 'utf8').split('\n');
        const found = (pattern: RegExp) => lines.filter((line) => pattern.test(line));
        assert.ok(found(/openat\(.*"after"/).length > 0, `${name}: the document itself was read`);
        assert.deepEqual(found(/AF_INET|sendto\(|bind\(/), [], name);
        assert.deepEqual(found(/secret\.txt/), [], name);
        assert.deepEqual(
          found(/open(at)?\(.*(O_WRONLY|O_RDWR|O_CREAT)/).filter((line) => !line.includes('"/dev/')),
          [],
          name,
        );
        assert.deepEqual(found(/\b(mkdir|unlink|rename|link|symlink|chmod|chown)(at)?2?\(/), [], name);
        assert.ok(
          found(/execve\(/).every((line) => line.includes('/bin/sh') || line.includes(process.execPath)),
          name,
        );
      }
    });
  });
});
