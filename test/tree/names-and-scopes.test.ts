import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytePathFromLatin1 } from '../../server/domain/byte-path.ts';
import { inScope } from '../../server/domain/write-scope.ts';
import { hashObject } from '../../server/git/objects/object-id.ts';
import { isReservedName } from '../../server/tree/reserved-names.ts';
import { coversFolder, holds, reaches } from '../../server/tree/scope-coverage.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

test('just the names that git finds fault with are reserved', async () => {
  const piece = fc.constantFrom(
    '.git',
    '.GIT',
    'git~1',
    'GIT~1',
    ' ',
    '.',
    ':',
    '$',
    'x',
    '\\',
    '\xe2\x80\x8c',
    '\xef\xbb\xbf',
    '~1',
    '.g',
    'it',
  );
  const names = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
  await inTempFolder(async (folder) => {
    rawGit(folder, ['init', '-q', '--bare']);
    const blob = rawGit(folder, ['hash-object', '-w', '--stdin'], { input: '' }).trim();
    fc.assert(
      fc.property(names, (name) => {
        const content = Buffer.concat([Buffer.from(`100644 ${name}\0`, 'latin1'), Buffer.from(blob, 'hex')]);
        rawGit(folder, ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], {
          input: content.toString('latin1'),
        });
        const { stderr } = spawnSync('git', ['fsck', '--strict', hashObject('tree', content)], { cwd: folder });
        const faults = /hasDot(?:git|dot)?:/.test(stderr.toString());
        spawnSync('sh', ['-c', 'find objects -type f -name "[0-9a-f]*" -delete'], { cwd: folder });
        rawGit(folder, ['hash-object', '-w', '--stdin'], { input: '' });
        assert.equal(isReservedName(name), faults, JSON.stringify(name));
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });
});

test('a folder is covered if all that can be below it is in the scope, and reached if anything can', () => {
  const segment = fc.constantFrom('a', 'b', '*');
  const pattern = fc
    .tuple(fc.array(segment, { maxLength: 3 }), fc.boolean())
    .map(([parts, deep]) => [...parts, deep ? '**' : 'a'].join('/'));
  const scope = fc.array(pattern, { maxLength: 3 });
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
    .map((names) => bytePathFromLatin1(names.join('/')));
  fc.assert(
    fc.property(scope, path, path, (patterns, folder, below) => {
      const inner = bytePathFromLatin1(`${folder}/${below}`);
      assert.equal(holds(inner, patterns), inScope(inner, patterns));
      if (coversFolder(folder, patterns)) assert.ok(inScope(inner, patterns));
      if (inScope(inner, patterns)) assert.ok(reaches(folder, patterns));
      assert.ok(coversFolder(folder, undefined) && reaches(folder, undefined) && holds(folder, undefined));
    }),
  );
});
