import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type BytePath, bytePathFromText } from '../../../server/domain/byte-path.ts';
import { parseUnitId } from '../../../server/domain/ids.ts';
import type { GitVault } from '../../../server/vault/index.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { readZip } from '../../support/read-zip.ts';
import { writeBytesAt } from '../../support/shadow-place.ts';
import { FILES, type HostilePlace } from './hostile-place.ts';

/** One call of the vault that says by an assertion whether its result is right. */
export interface Call {
  readonly name: string;
  readonly run: (vault: GitVault, place: HostilePlace) => Promise<void>;
}

const CODE = bytePathFromText('units/a/code');
/** main's files, as they were committed last. */
const EXPECTED: Readonly<Record<string, string>> = {
  ...FILES,
  '.gitignore': 'ignored/\n',
  'units/a/tests/y.txt': 'y2\n',
};
const collect = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Everything that only reads. The history is the model's, whatever the trap says. */
export const READS: readonly Call[] = [
  { name: 'head', run: async (vault, { facts }) => assert.equal(await vault.head(PROJECT), facts.head) },
  {
    name: 'log',
    run: async (vault, { facts }) => {
      const { items } = await vault.log(PROJECT, { limit: 10 });
      assert.deepEqual([items.length, items[0]?.sha, items[2]?.sha], [3, facts.head, facts.first]);
      assert.deepEqual(items[0]?.author, { name: 'Coder Agent', email: 'coder@devloop.local' });
    },
  },
  {
    name: 'log with filters',
    run: async (vault) =>
      assert.equal(
        (await vault.log(PROJECT, { grep: 'CODE(A)', author: 'coder', path: CODE, since: '2020-01-01' })).items.length,
        1,
      ),
  },
  {
    name: 'show',
    run: async (vault, { facts }) => {
      const { commit, files } = await vault.show(PROJECT, 'HEAD');
      assert.deepEqual([commit.sha, files.map(({ path }) => path)], [facts.head, ['units/a/tests/y.txt']]);
    },
  },
  {
    name: 'tree',
    run: async (vault) =>
      assert.deepEqual(
        (await vault.tree(PROJECT, 'HEAD', CODE)).map(({ path, kind }) => [path, kind]),
        [
          ['units/a/code/run.sh', 'file'],
          ['units/a/code/x.txt', 'file'],
        ],
      ),
  },
  {
    name: 'readFile',
    run: async (vault) =>
      assert.equal(
        (await vault.readFile(PROJECT, 'main', bytePathFromText('units/a/code/x.txt'))).content.toString(),
        FILES['units/a/code/x.txt'],
      ),
  },
  {
    name: 'diff',
    run: async (vault, { facts }) => {
      const { files, patch } = await vault.diff(PROJECT, { from: facts.first, to: 'HEAD' });
      assert.deepEqual(
        files.map(({ path }) => path),
        Object.keys(FILES)
          .filter((name) => name !== 'project.json')
          .sort(),
      );
      assert.match(patch.toString(), /\+x \$Id\$ \$Format:%H\$/);
    },
  },
  {
    name: 'listTags',
    run: async (vault) =>
      assert.deepEqual(
        (await vault.listTags(PROJECT)).map(({ name }) => name),
        ['prd-rev-1'],
      ),
  },
  { name: 'attempts', run: async (vault) => assert.equal((await vault.attempts(PROJECT)).length, 1) },
  {
    name: 'archive as tar',
    run: async (vault) => {
      const tar = await collect(await vault.archive(PROJECT, 'HEAD', { format: 'tar' }));
      assert.deepEqual(
        execFileSync('tar', ['-tf', '-'], { input: tar })
          .toString()
          .trim()
          .split('\n')
          .filter((name) => !name.endsWith('/'))
          .sort(),
        Object.keys(EXPECTED).sort(),
      );
      assert.equal(
        execFileSync('tar', ['-xOf', '-', 'units/a/code/x.txt'], { input: tar }).toString(),
        FILES['units/a/code/x.txt'],
      );
    },
  },
  {
    name: 'archive as tar.gz',
    run: async (vault) =>
      assert.ok(
        gunzipSync(await collect(await vault.archive(PROJECT, 'HEAD', { format: 'tar.gz' }))).length >= 5 * 512,
      ),
  },
  {
    name: 'archive as zip',
    run: async (vault) => {
      const entries = readZip(await collect(await vault.archive(PROJECT, 'HEAD', { format: 'zip' })));
      assert.deepEqual(
        Object.fromEntries(entries.map(({ name, content }) => [name.toString(), content.toString()])),
        EXPECTED,
      );
    },
  },
  {
    name: 'manifest',
    run: async (vault) => {
      const sum = (content: string): string => createHash('sha256').update(content).digest('hex');
      const { files } = await vault.manifest(PROJECT, 'HEAD');
      assert.deepEqual(
        Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256])),
        Object.fromEntries(Object.entries(EXPECTED).map(([name, content]) => [name, sum(content)])),
      );
    },
  },
  {
    name: 'bundle',
    run: async (vault, { facts }) =>
      assert.match(
        (await collect(await vault.bundle(PROJECT))).subarray(0, 100).toString('latin1'),
        new RegExp(`^# v2 git bundle\n${facts.head} HEAD\n`),
      ),
  },
  { name: 'verify', run: async (vault) => assert.ok(Array.isArray((await vault.verify(PROJECT)).problems)) },
  { name: 'rescues', run: async (vault) => assert.ok(Array.isArray(await vault.rescues(PROJECT))) },
  { name: 'status', run: async (vault) => assert.equal(typeof (await vault.status(PROJECT)).dirty, 'boolean') },
  { name: 'treeIds', run: async (vault) => assert.equal((await vault.treeIds(PROJECT, [CODE])).length, 1) },
];

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
