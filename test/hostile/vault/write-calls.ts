import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BytePath, bytePathFromText } from '../../../server/domain/byte-path.ts';
import { parseUnitId } from '../../../server/domain/ids.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { writeBytesAt } from '../../support/shadow-place.ts';
import type { Call } from './calls.ts';

/** Everything that writes; where it succeeds, what it wrote can be read. */
export const WRITES: readonly Call[] = [
  {
    name: 'commit',
    run: async (vault, { root }) => {
      writeBytesAt(root, 'prd/new.md', 'new\n');
      const outcome = await vault.commit(PROJECT, commitSpec({ files: ['prd/**'] }));
      if (outcome.kind === 'nothing') {
        // A trap may make git ignore everything: then it is said.
        assert.deepEqual(outcome.left_out, [{ path: 'prd', reason: 'ignored' }]);
        return;
      }
      assert.equal((await vault.readFile(PROJECT, 'HEAD', bytePathFromText('prd/new.md'))).content.toString(), 'new\n');
    },
  },
  {
    name: 'commit of all',
    run: async (vault) =>
      assert.ok(['committed', 'nothing'].includes((await vault.commit(PROJECT, commitSpec({ files: ['**'] }))).kind)),
  },
  { name: 'tag', run: async (vault) => assert.equal((await vault.tag(PROJECT, 'new-tag')).name, 'new-tag') },
  {
    name: 'saveAttempt',
    run: async (vault, { root }) => {
      writeBytesAt(root, 'units/b/code/z', 'z');
      const { subject, author, trailers } = commitSpec();
      const attempt = await vault.saveAttempt(PROJECT, {
        unit: parseUnitId('b'),
        round: 1,
        attempt: 1,
        subject,
        author,
        trailers,
        files: ['units/b/**'],
        verdict: 'red',
      });
      assert.equal(
        (await vault.readFile(PROJECT, attempt.sha, bytePathFromText('units/b/code/z'))).content.toString(),
        'z',
      );
    },
  },
  {
    name: 'baseline and put-back',
    run: async (vault, { root }) => {
      await vault.takeBaseline(PROJECT);
      writeBytesAt(root, 'stray', 'stray');
      assert.ok((await vault.changesSinceBaseline(PROJECT)).some(({ path }) => path === 'stray'));
      await vault.putBack(PROJECT, ['stray' as BytePath], 'hostile');
      assert.ok(!existsSync(join(root, 'stray')));
      await vault.advanceBaseline(PROJECT, ['**']);
      await vault.dropBaseline(PROJECT);
    },
  },
  {
    name: 'restoreFiles',
    run: async (vault) =>
      void (await vault.restoreFiles(PROJECT, { rev: 'HEAD', files: ['units/a/**'], reason: 'hostile' })),
  },
  {
    name: 'revert',
    run: async (vault) =>
      assert.ok(['reverted', 'conflict', 'already_reverted'].includes((await vault.revert(PROJECT, 'prd-rev-1')).kind)),
  },
  {
    name: 'resetWorkingTree',
    run: async (vault) => void (await vault.resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'hostile' })),
  },
  {
    name: 'restoreRescue',
    run: async (vault) => {
      const [last] = await vault.rescues(PROJECT);
      if (last !== undefined) await vault.restoreRescue(PROJECT, last.id);
    },
  },
  {
    name: 'committed',
    run: async (vault) => assert.equal(await vault.committed(PROJECT, 'nobody made it'), undefined),
  },
  {
    name: 'bisect',
    run: async (vault, { facts }) => {
      const check = async (folder: string): Promise<'good' | 'bad'> =>
        existsSync(join(folder, 'units/a/code/x.txt')) ? 'bad' : 'good';
      assert.equal((await vault.bisect(PROJECT, { good: facts.first, bad: facts.head, check })).tried.length, 3);
    },
  },
  {
    name: 'maintain',
    run: async (vault) => {
      const ended = new Date('2020-01-01T00:00:00Z');
      assert.deepEqual((await vault.maintain(PROJECT, { ended })).expired, []);
    },
  },
  { name: 'inspect', run: async (vault) => assert.ok(Array.isArray((await vault.inspect(PROJECT)).problems)) },
];
