import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import type { GitVault } from '../../../server/vault/index.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { readZip } from '../../support/read-zip.ts';
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
