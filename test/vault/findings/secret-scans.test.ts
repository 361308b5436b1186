import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import test, { type TestContext } from 'node:test';
import type { FoundSecrets } from '../../../server/domain/finding.ts';
import { changedFiles } from '../../../server/vault/findings/changed-files.ts';
import { scansOf } from '../../../server/vault/findings/scan-record.ts';
import { SecretScans } from '../../../server/vault/findings/secret-scans.ts';
import { type OpenVault, recordedHead } from '../../../server/vault/open-vault.ts';
import { revert } from '../../../server/vault/revert/revert.ts';
import { type ProjectVault, projectVault } from '../../support/project-vault.ts';
import { HOSTILE_TEXTS } from '../../support/secrets/hostile-texts.ts';
import { randomText } from '../../support/secrets/kinds.ts';

const token = (name: string) => ['gh', 'p_', randomText(name, 36)].join('');

function scansUnderTest(t: TestContext, options: { readonly commit_ms?: number } = {}) {
  const told: FoundSecrets[] = [];
  const scans = new SecretScans(async (_pid, found) => void told.push(found), options);
  t.after(() => scans.close());
  return { scans, told };
}

const complete = (project: ProjectVault, scans: SecretScans) =>
  project.exclusive((vault) => scans.complete(vault, [recordedHead(vault)]));

async function changes(vault: OpenVault): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of changedFiles(vault, recordedHead(vault))) paths.push(path);
  return paths;
}

test('only files that a commit changed are looked at, whatever became of the others', async (t) => {
  const project = await projectVault(t);
  assert.deepEqual(await project.exclusive(changes), ['.gitignore', 'project.json']);
  for (const name of ['a/b/c.txt', 'a/same.txt', 'z.txt']) project.put(name);
  await project.commit();
  project.put('a/b/c.txt', 'changed');
  project.put('a/b/new\xff.txt', 'new');
  project.git('rm', '-q', '--cached', 'z.txt');
  await project.commit();
  assert.deepEqual(await project.exclusive(changes), ['a/b/c.txt', 'a/b/new\xff.txt']);
  await project.write((vault) => revert(vault, 'HEAD'));
  assert.deepEqual(await project.exclusive(changes), ['a/b/c.txt']);
});

test('a file that became a folder, and a folder that became a file, are looked at', async (t) => {
  const project = await projectVault(t);
  project.put('a/x', 'x');
  project.put('b', 'b');
  await project.commit();
  project.git('rm', '-q', '-r', '-f', 'a', 'b');
  mkdirSync(project.root, { recursive: true });
  project.put('a', 'a');
  project.put('b/y', 'y');
  await project.commit();
  assert.deepEqual(await project.exclusive(changes), ['a', 'b/y']);
});

test('a secret is told of with the commit that brought it, oldest first, however late that is', async (t) => {
  const { scans, told } = scansUnderTest(t);
  const project = await projectVault(t);
  const shas = [];
  for (const name of ['one', 'two', 'one', 'three']) {
    project.put('a.txt', token(name));
    shas.push((await project.commit()).sha);
  }
  await complete(project, scans);
  assert.deepEqual(
    told.map(({ commit }) => commit),
    [shas[0], shas[1], shas[3]],
  );
});

test('two at once scan a commit once', async (t) => {
  const { scans, told } = scansUnderTest(t);
  const project = await projectVault(t);
  project.put('a.txt', token('one'));
  await project.commit();
  await project.exclusive(async (vault) => {
    const tips = [recordedHead(vault)];
    const records = await Promise.all([scans.complete(vault, tips), scans.completeWhole(vault, tips)]);
    assert.equal(new Set(records).size, 1);
  });
  assert.equal(told.length, 1);
});

test('a commit of files that are made to be slow takes its time at most, and the rest is looked at when it must be', async (t) => {
  const { scans, told } = scansUnderTest(t, { commit_ms: 40 });
  const project = await projectVault(t);
  for (let i = 1; i < 5; i++)
    project.put(`${i}.txt`, `${i} ${HOSTILE_TEXTS['beginnings of addresses']?.slice(0, 900_000)}`);
  project.put('5.txt', token('x'));
  await project.commit();
  await project.exclusive(async (vault) => {
    const record = await scans.complete(vault, [recordedHead(vault)]);
    const left = record.notScanned.map(({ path, reason }) => `${path} ${reason}`);
    assert.ok(left.includes('5.txt out_of_time'), left.join());
    assert.deepEqual(record.findings, []);
    await scans.completeWhole(vault, [recordedHead(vault)]);
  });
  project.reopen();
  await project.exclusive(async (vault) => {
    const { notScanned, findings } = scansOf(vault);
    assert.deepEqual(notScanned, []);
    assert.deepEqual(
      findings.map(({ path }) => path),
      ['5.txt'],
    );
  });
  assert.equal(told.length, 1);
});

test('nothing is kept of a scan that the end of the server cut short', async (t) => {
  const { scans, told } = scansUnderTest(t);
  const project = await projectVault(t);
  project.put('a.txt', token('one'));
  await project.commit();
  const cut = complete(project, scans);
  scans.close();
  await assert.rejects(cut, /the server is stopping/);
  assert.deepEqual(told, []);
  await project.exclusive(async (vault) => assert.equal(scansOf(vault).isScanned(recordedHead(vault)), false));
});

test('one changed file is found among two thousand', async (t) => {
  const project = await projectVault(t);
  for (let i = 0; i < 2000; i++) project.put(`many/${i}.txt`, `${i}`);
  await project.commit();
  project.put('many/7.txt', 'changed');
  await project.commit();
  const begun = performance.now();
  assert.deepEqual(await project.exclusive(changes), ['many/7.txt']);
  t.diagnostic(`${(performance.now() - begun).toFixed(0)} ms`);
});
