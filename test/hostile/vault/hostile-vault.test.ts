import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { DevLoopError } from '../../../server/domain/errors.ts';
import { repositoryRoutes } from '../../../server/http/routes/repository-routes.ts';
import type { GitVault } from '../../../server/vault/index.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { TRAPS } from './all-traps.ts';
import { READS } from './calls.ts';
import { makeModel, makePlace, openVaultAt } from './hostile-place.ts';
import { REQUESTS, routeCalls } from './routes.ts';
import { runTraps, summary } from './run-all.ts';
import { WRITES } from './write-calls.ts';

/** Some of each kind; all of them run, one at a time, with the system's tests. */
const SAMPLE = [
  'setting core.fsmonitor in .git',
  '.git/refs/heads/main a pipe',
  'a blob with the content of another one',
  '.gitattributes a pipe',
  'everything at once',
];

test('a sample of traps runs nothing, writes nothing outside, and leaves every call right or with a named error', async () => {
  const numbers = SAMPLE.map((name) => TRAPS.findIndex((trap) => trap.name === name));
  assert.ok(!numbers.includes(-1));
  const lines = await runTraps(numbers);
  assert.equal(lines.flatMap(({ report }) => report.faults).length, 0, summary(lines));
});

test('every method of the vaults is called, and every route about a repository', async () => {
  const { folder } = await makeModel();
  try {
    using place = makePlace(folder);
    const opened = openVaultAt(place.dataDir);
    const called = new Set<string>();
    const noting = Object.entries(opened).map(([name, method]) => [
      name,
      (...args: unknown[]) => {
        called.add(name);
        return (method as (...given: unknown[]) => unknown)(...args);
      },
    ]);
    const vault = Object.fromEntries(noting) as GitVault;
    await vault.seal(PROJECT);
    await vault.checkSeal(PROJECT);
    await vault.dropBaseline(PROJECT);
    for (const call of [...READS, ...WRITES]) await call.run(vault, place);
    const { calls, close } = await routeCalls(vault, place);
    for (const call of calls) await call.run(vault, place).catch((error) => assert.ok(error instanceof DevLoopError));
    await close();
    await opened.close();
    assert.deepEqual(
      Object.keys(opened).filter((name) => !called.has(name)),
      // The model is made by the one; the other is every run's end.
      ['init', 'close'],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const asked = new Set(REQUESTS.map(([method, path]) => `${method} ${path.replace(/\?.*/, '')}`));
  for (const { id } of Object.values(repositoryRoutes)) {
    const pattern = new RegExp(`^${id.replace('/projects/:pid', '').replaceAll(/:\w+/g, '[^/]+')}$`);
    assert.ok(
      [...asked].some((one) => pattern.test(one)),
      id,
    );
  }
});

test('each trap has a name of its own', () => {
  assert.equal(new Set(TRAPS.map(({ name }) => name)).size, TRAPS.length);
  assert.ok(TRAPS.length > 300, String(TRAPS.length));
});
