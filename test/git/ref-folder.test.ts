import assert from 'node:assert/strict';
import { mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Oid } from '../../server/domain/ids.ts';
import { RefFolder } from '../../server/git/ref-folder.ts';
import { listRefs } from '../../server/git/refs.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const POINTS = 'refs/points/';

interface Lab {
  readonly gitDir: string;
  readonly refs: RefFolder;
  readonly oids: readonly Oid[];
  readonly git: (...args: readonly string[]) => string;
}

function inRepository(use: (lab: Lab) => void | Promise<void>): Promise<void> {
  return inTempFolder(async (folder) => {
    const gitDir = join(folder, 'git');
    rawGit(folder, ['init', '-q', '--bare', gitDir]);
    const git = (...args: readonly string[]): string => rawGit(gitDir, [...args]);
    const tree = git('hash-object', '-t', 'tree', '-w', '/dev/null').trim();
    const oids = ['one', 'two', 'three'].map((text) => git('commit-tree', '-m', text, tree).trim() as Oid);
    await use({ gitDir, refs: new RefFolder(gitDir, POINTS), oids, git });
  });
}

test('a folder of refs is what git has in it, whatever git did since it was listed', async () => {
  const step = fc.record({
    what: fc.constantFrom('set', 'set', 'delete', 'pack'),
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    value: fc.nat(2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), (steps) =>
      inRepository(({ gitDir, refs, oids, git }) => {
        for (const { what, name, value } of steps) {
          if (what === 'pack') git('pack-refs', '--all');
          else if (what === 'delete') git('update-ref', '-d', `${POINTS}${name}`);
          else git('update-ref', `${POINTS}${name}`, oids[value] ?? '');
          assert.deepEqual([...refs.list()], [...listRefs(gitDir, POINTS)]);
        }
      }),
    ),
    { numRuns: 12 },
  );
});

test('what has not changed for a while is not read again', () =>
  inRepository(({ gitDir, refs, oids, git }) => {
    git('update-ref', `${POINTS}a`, oids[0] ?? '');
    utimesSync(join(gitDir, POINTS), 1, 1);
    const first = refs.list();
    assert.equal(refs.list(), first);
    git('update-ref', `${POINTS}a`, oids[1] ?? '');
    assert.deepEqual([...refs.list()], [[`${POINTS}a`, oids[1]]]);
  }));

test('without the folder there are no refs, and what is no ref is refused', () =>
  inRepository(({ gitDir, refs }) => {
    assert.equal(refs.list().size, 0);
    mkdirSync(join(gitDir, POINTS, 'folder'), { recursive: true });
    assert.throws(() => refs.list(), { code: 'vault_damaged' });
  }));
