import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathText } from '../../../server/domain/byte-path.ts';
import { type DevLoopError, isDevLoopError } from '../../../server/domain/errors.ts';
import { parseUnitId } from '../../../server/domain/ids.ts';
import { type GitVaultProject, gitVaultProject } from '../../support/git-vault-project.ts';
import { PROJECT } from '../../support/project-folders.ts';
import { commitSpec } from '../../support/project-vault.ts';
import { randomText } from '../../support/secrets/kinds.ts';

const token = (name: string) => ['gh', 'p_', randomText(name, 36)].join('');
const signal = AbortSignal.timeout(60_000);

const ways = {
  archive: ({ vault }: GitVaultProject, rev = 'HEAD') => vault().archive(PROJECT, rev, { format: 'tar' }),
  bundle: ({ vault }: GitVaultProject) => vault().bundle(PROJECT, { signal }),
  clone: ({ vault }: GitVaultProject) => vault().uploadPack(PROJECT, { kind: 'advertise', signal }),
};

async function bytesOf(stream: Promise<AsyncIterable<Uint8Array>>): Promise<number> {
  let bytes = 0;
  for await (const chunk of await stream) bytes += chunk.length;
  return bytes;
}

async function refusal(stream: Promise<AsyncIterable<Uint8Array>>): Promise<DevLoopError> {
  try {
    await bytesOf(stream);
  } catch (error) {
    if (isDevLoopError(error, 'findings_open')) return error;
    throw error;
  }
  return assert.fail('it went out');
}

const listed = async ({ vault }: GitVaultProject) =>
  (await vault().findings(PROJECT)).findings.map(
    ({ path, rule, line, open }) => `${path}:${line} ${rule} ${open ? 'open' : 'allowed'}`,
  );

test('a secret is committed, told of, and goes out in no way before a person allows it', async (t) => {
  const project = await gitVaultProject(t);
  project.put('units/a/code/config.js', `\nexport const token = '${token('x')}';\n`);
  const sha = await project.commit();
  assert.match(project.git('show', `${sha}:units/a/code/config.js`), /token = 'gh/);
  for (const [name, way] of Object.entries(ways)) {
    const { data, message } = await refusal(way(project));
    assert.deepEqual(data.total, 1, name);
    assert.doesNotMatch(`${message} ${JSON.stringify(data)}`, new RegExp(token('x')));
  }
  assert.deepEqual(await listed(project), ['units/a/code/config.js:2 github open']);
  const [told, ...more] = project.told;
  assert.deepEqual(
    [told?.commit, told?.findings[0]?.path, told?.findings[0]?.line, more],
    [sha, 'units/a/code/config.js', 2, []],
  );

  const [{ blob, rule } = assert.fail()] = (await project.vault().findings(PROJECT)).findings;
  const allowed = await project.vault().allowFinding(PROJECT, { blob, rule });
  assert.equal(allowed.open, false);
  assert.deepEqual(JSON.parse(readFileSync(join(project.state, 'allowed-findings.json'), 'utf8')), {
    schema: 1,
    allowed: [{ blob, rule }],
  });
  for (const way of Object.values(ways)) assert.ok((await bytesOf(way(project))) > 0);
  assert.deepEqual(await listed(project), ['units/a/code/config.js:2 github allowed']);
});

test('a secret that a later commit takes away keeps the history in, and no more the files', async (t) => {
  const project = await gitVaultProject(t);
  project.put('a.txt', token('x'));
  const bad = await project.commit();
  project.put('a.txt', 'read from the environment');
  await project.commit();
  assert.ok((await bytesOf(ways.archive(project))) > 0);
  await refusal(ways.archive(project, bad));
  await refusal(ways.bundle(project));
  await refusal(ways.clone(project));
});

test('an allowed secret stays allowed where its file is edited or copied, another in the file is not', async (t) => {
  const project = await gitVaultProject(t);
  project.put('a.txt', token('x'));
  await project.commit();
  const [{ blob, rule } = assert.fail()] = (await project.vault().findings(PROJECT)).findings;
  await project.vault().allowFinding(PROJECT, { blob, rule });
  project.put('a.txt', `more\n${token('x')}`);
  project.put('b.txt', token('x'));
  await project.commit();
  assert.ok((await bytesOf(ways.bundle(project))) > 0);
  assert.equal(project.told.length, 1);
  project.put('b.txt', `${token('x')}\n${token('y')}`);
  await project.commit();
  const { data } = await refusal(ways.archive(project));
  assert.deepEqual(Object(data.findings)[0].path, 'b.txt');
  assert.deepEqual(await listed(project), ['a.txt:1 github allowed', 'b.txt:1 github open']);
});

test('a secret in a kept attempt keeps only that attempt in', async (t) => {
  const project = await gitVaultProject(t);
  project.put('units/a/code/x.js', token('x'));
  const about = { ...commitSpec(), unit: parseUnitId('a'), round: 1, attempt: 1, verdict: 'red' as const };
  await project.vault().saveAttempt(PROJECT, { ...about, files: ['units/a/**'] });
  assert.ok((await bytesOf(ways.bundle(project))) > 0);
  assert.ok((await bytesOf(ways.archive(project))) > 0);
  await refusal(ways.archive(project, 'attempts/a/1/1'));
  assert.deepEqual(await listed(project), ['units/a/code/x.js:1 github open']);
});

test('what is too large to be looked at is said, and what fits is looked at', async (t) => {
  const project = await gitVaultProject(t);
  project.put('large.bin', '');
  truncateSync(join(project.root, 'large.bin'), 1024 * 1024 + 1);
  project.put('full.txt', `${' '.repeat(1024 * 1024 - 41)}\n${token('x')}`);
  const sha = await project.commit();
  const { not_scanned } = await project.vault().findings(PROJECT);
  assert.deepEqual(
    not_scanned.map(({ path, reason, commit }) => [path, reason, commit]),
    [['large.bin', 'too_large', sha]],
  );
  assert.deepEqual(await listed(project), ['full.txt:2 github open']);
  assert.equal(project.told[0]?.not_scanned, 1);
});

test('what was scanned is known after a restart, and told once', async (t) => {
  const project = await gitVaultProject(t);
  project.put('a.txt', token('x'));
  await project.commit();
  await project.vault().findings(PROJECT);
  const record = readFileSync(join(project.state, 'scans.ndjson'), 'utf8');
  assert.doesNotMatch(record, new RegExp(token('x')));
  await project.reopen();
  await refusal(ways.archive(project));
  assert.equal(project.told.length, 1);
  assert.equal(readFileSync(join(project.state, 'scans.ndjson'), 'utf8'), record);
});

test('a scan that could not be told of is made and told again', async (t) => {
  let refusing = true;
  const project = await gitVaultProject(t, async () => {
    if (refusing) throw new Error('the disk is full');
  });
  project.put('a.txt', token('x'));
  await project.commit();
  await assert.rejects(bytesOf(ways.archive(project)), /the disk is full/);
  refusing = false;
  await refusal(ways.archive(project));
  assert.equal(project.told.length, 1);
});

test('a record that is gone or damaged has everything looked at again', async (t) => {
  const project = await gitVaultProject(t);
  project.put('a.txt', token('x'));
  await project.commit();
  await project.vault().findings(PROJECT);
  const path = join(project.state, 'scans.ndjson');
  const lines = readFileSync(path, 'utf8').split('\n');
  for (const damage of [() => rmSync(path), () => writeFileSync(path, `${lines[0]}\n{"commit": torn`)]) {
    damage();
    await project.reopen();
    await refusal(ways.archive(project));
  }
});

test('nobody allows by a list that cannot be read', async (t) => {
  const project = await gitVaultProject(t);
  project.put('a.txt', token('x'));
  await project.commit();
  writeFileSync(join(project.state, 'allowed-findings.json'), '{"schema": 1, "allowed": ["all"]}');
  await assert.rejects(bytesOf(ways.archive(project)), (error) => isDevLoopError(error, 'vault_damaged'));
});

test('what was never found cannot be allowed', async (t) => {
  const project = await gitVaultProject(t);
  project.put('a.txt', token('x'));
  await project.commit();
  const [{ blob } = assert.fail()] = (await project.vault().findings(PROJECT)).findings;
  const none = project.vault().allowFinding(PROJECT, { blob, rule: 'npm' });
  await assert.rejects(none, (error) => isDevLoopError(error, 'not_found'));
  assert.ok(!readdirSync(project.state).includes('allowed-findings.json'));
});

// A published repository held its .env and node_modules: snarktank/antfarm#138.
test('a project of a person who never thought of an ignore file leaves without secrets and without node_modules', async (t) => {
  const project = await gitVaultProject(t);
  const files = ['.env', 'secrets/key.json', 'id_rsa', 'units/a/code/.env.local', 'units/a/code/deploy.pem'];
  for (const name of files) project.put(name, `TOKEN=${token(name)}\n`);
  project.put('units/a/code/node_modules/left-pad/index.js', 'module.exports = 1;\n');
  project.put('units/a/code/index.js', 'export {};\n');
  const outcome = await project.vault().commit(PROJECT, commitSpec());
  assert.equal(project.git('ls-tree', '-r', '--name-only', 'HEAD'), '.gitignore\nproject.json\nunits/a/code/index.js');
  const named = outcome.left_out.map(({ path }) => pathText(path).path);
  for (const name of [
    '.env',
    'secrets',
    'id_rsa',
    'units/a/code/.env.local',
    'units/a/code/deploy.pem',
    'units/a/code/node_modules',
  ])
    assert.ok(named.includes(name), `${name} is not named: ${named.join(' ')}`);

  rmSync(join(project.root, '.gitignore'));
  const without = await project.vault().commit(PROJECT, commitSpec({ files: ['**'] }));
  for (const name of files) assert.ok(!project.git('ls-files').split('\n').includes(name), `${name} is committed`);
  const reasons = without.left_out.map(({ path, reason }) => `${pathText(path).path} ${reason}`);
  assert.deepEqual(
    reasons.filter((line) => line.startsWith('.env')),
    ['.env secret_name'],
  );
  assert.ok((await bytesOf(ways.archive(project))) > 0);
});
