import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { type Oid, parseOid } from '../../server/domain/ids.ts';
import { openAppendLog } from '../../server/io/append-log.ts';
import type { GitVault } from '../../server/vault/git-vault.ts';
import { type GitVaultProject, gitVaultProject } from '../support/git-vault-project.ts';
import { PROJECT } from '../support/project-folders.ts';

/** Of this process' own work: far more than it takes, and far less than what grows with the square of a size; ms. */
const MOST_MS = 120_000;
const MOST_RSS = 1_500_000_000;
const signal = AbortSignal.timeout(900_000);

/** Does a call and says what it took. */
async function took<Result>(t: TestContext, what: string, work: () => Promise<Result>): Promise<Result> {
  const [begun, worked] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(worked);
  const ms = (user + system) / 1000;
  t.diagnostic(
    `${what}: ${(performance.now() - begun).toFixed(0)} ms, ${ms.toFixed(0)} ms of work, ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`,
  );
  assert.ok(ms < MOST_MS, `${what} took ${ms} ms`);
  assert.ok(process.memoryUsage.rss() < MOST_RSS, what);
  return result;
}

/** What `tar` lists of an archive. */
async function archivedNames(vault: GitVault, folder: string): Promise<readonly string[]> {
  const path = join(folder, 'archive.tar');
  const chunks: Buffer[] = [];
  for await (const chunk of await vault.archive(PROJECT, 'HEAD', { format: 'tar' })) chunks.push(chunk);
  writeFileSync(path, Buffer.concat(chunks));
  const names = execFileSync('tar', ['-tf', path], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trimEnd();
  rmSync(path);
  return names.split('\n');
}

const sound = ({ git }: GitVaultProject) => assert.equal(git('fsck', '--strict', '--full', '--no-dangling'), '');

describe('a folder of 100,000 files', { timeout: 900_000 }, () => {
  const COUNT = 100_000;
  const FOLDER = bytePathFromText('units/a/code');

  it('is committed, compared, listed, archived, reset and exported whole', async (t) => {
    const project = await gitVaultProject(t);
    const { root, git } = project;
    const at = (i: number) => join(root, FOLDER, `${i}.txt`);
    mkdirSync(join(root, FOLDER), { recursive: true });
    for (let i = 0; i < COUNT; i++) writeFileSync(at(i), `${i}\n`);
    await took(t, 'first commit', () => project.commit());
    writeFileSync(at(5), 'changed\n');
    rmSync(at(6));
    writeFileSync(at(COUNT), 'new\n');
    const { files } = await took(t, 'status', () => project.vault().status(PROJECT));
    assert.deepEqual(files.map(({ path, change }) => `${change} ${path.slice(FOLDER.length + 1)}`).sort(), [
      `added ${COUNT}.txt`,
      'deleted 6.txt',
      'modified 5.txt',
    ]);
    await took(t, 'second commit', () => project.commit());
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('ls-tree', '--name-only', `HEAD:${FOLDER}`).split('\n').length, COUNT);
    const entries = await took(t, 'list', () => project.vault().tree(PROJECT, 'HEAD', FOLDER));
    assert.equal(entries.length, COUNT);
    const names = await took(t, 'archive', () => archivedNames(project.vault(), root));
    assert.equal(names.filter((name) => name.endsWith('.txt')).length, COUNT);
    for (let i = 10; i < 1010; i++) writeFileSync(at(i), 'lost\n');
    const { rescue } = await took(t, 'reset', () =>
      project.vault().resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'sizes' }),
    );
    assert.ok(rescue !== undefined);
    assert.equal(readFileSync(at(500), 'utf8'), '500\n');
    assert.equal(git('status', '--porcelain'), '');
    await project.reopen();
    assert.equal((await took(t, 'status after a restart', () => project.vault().status(PROJECT))).dirty, false);
    sound(project);
  });
});

describe('objects that are deltas in a pack', { timeout: 900_000 }, () => {
  it('are read, committed on, archived and reset to as if they were whole', async (t) => {
    const project = await gitVaultProject(t);
    const lines = Array.from({ length: 5000 }, (_, i) => `line ${i} ${'x'.repeat(i % 60)}`);
    const commits: Oid[] = [];
    for (let round = 0; round < 60; round++) {
      lines[round * 80] = `changed in round ${round}`;
      project.put('units/a/code/large.txt', lines.join('\n'));
      commits.push(await project.commit({ subject: `round ${round}` }));
    }
    const before = await project
      .vault()
      .readFile(PROJECT, commits[10] ?? '', bytePathFromText('units/a/code/large.txt'));
    project.git('repack', '-a', '-d', '-f', '-q', '--depth=50', '--window=50');
    const deltas = project
      .git('verify-pack', '-v', ...packs(project))
      .split('\n')
      .filter((line) => /^[0-9a-f]{40} \S+ +\d+ \d+ \d+ \d+ /.test(line));
    assert.ok(deltas.length > 50, `${deltas.length} deltas`);

    const after = await project
      .vault()
      .readFile(PROJECT, commits[10] ?? '', bytePathFromText('units/a/code/large.txt'));
    assert.deepEqual(after, before);
    const { files } = await project.vault().diff(PROJECT, { from: commits[10] ?? '', to: commits[12] ?? '' });
    assert.deepEqual([files[0]?.additions, files[0]?.deletions], [2, 2]);
    project.put('units/a/code/new.txt', 'new');
    await project.commit();
    await project.vault().resetWorkingTree(PROJECT, { ref: commits[30] ?? '', reason: 'deltas' });
    const reset = readFileSync(join(project.root, 'units/a/code/large.txt'), 'utf8');
    assert.equal(reset, `${project.git('show', `${commits[30]}:units/a/code/large.txt`)}`);
    assert.ok((await archivedNames(project.vault(), project.root)).includes('units/a/code/large.txt'));
    assert.deepEqual((await project.vault().verify(PROJECT, signal)).problems, []);
    await project.reopen();
    await project.vault().resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'back' });
    assert.equal((await project.vault().status(PROJECT)).dirty, false);
    sound(project);
  });
});

function packs({ root }: GitVaultProject): readonly string[] {
  const folder = join(root, '.git/objects/pack');
  return globSync('*.idx', { cwd: folder }).map((name) => join(folder, name));
}

describe('a history of 10,000 commits', { timeout: 900_000 }, () => {
  const COUNT = 10_000;

  it('is opened, listed to its end, searched, exported, and committed on', async (t) => {
    const project = await gitVaultProject(t);
    const { git, state } = project;
    const first = parseOid(git('rev-parse', 'HEAD'));
    await project.vault().close();
    execFileSync('git', ['fast-import', '--quiet', '--force'], { cwd: project.root, input: history(first, COUNT) });
    const shas = git('rev-list', '--reverse', 'HEAD')
      .split('\n')
      .map((line) => parseOid(line));
    record(state, shas);
    await project.reopen();

    await took(t, 'open and reset to main', () =>
      project.vault().resetWorkingTree(PROJECT, { ref: 'HEAD', reason: 'begin' }),
    );
    assert.equal((await took(t, 'look at boot', () => project.vault().inspect(PROJECT))).head, shas.at(-1));
    const listed: Oid[] = [];
    await took(t, 'list all, a thousand a page', async () => {
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const page = await project.vault().log(PROJECT, { limit: 1000, ...(cursor === undefined ? {} : { cursor }) });
        listed.push(...page.items.map(({ sha }) => sha));
        cursor = page.next;
      }
    });
    assert.deepEqual(listed, shas.toReversed());
    const found = await took(t, 'search', () => project.vault().log(PROJECT, { grep: 'round 77 ', limit: 5 }));
    assert.equal(found.items.length, 1);
    project.put('units/a/code/1.txt', 'new');
    const sha = await took(t, 'commit', () => project.commit({ tag: { name: 'v1', message: 'v1' } }));
    assert.equal(git('rev-parse', 'HEAD'), sha);
    const reverted = await took(t, 'revert', () => project.vault().revert(PROJECT, sha));
    assert.equal(reverted.kind, 'reverted');
    const { findings } = await took(t, 'search for secrets', () => project.vault().findings(PROJECT));
    assert.deepEqual(findings, []);
    let bytes = 0;
    await took(t, 'bundle', async () => {
      for await (const chunk of await project.vault().bundle(PROJECT, { signal })) bytes += chunk.length;
    });
    assert.ok(bytes > 100_000, `${bytes}`);
    assert.ok((await archivedNames(project.vault(), project.root)).includes('n.txt'));
    await took(t, 'second search for secrets', () => project.vault().findings(PROJECT));
    sound(project);
  });
});

/** Commits for `git fast-import`, each with a number in n.txt and one of a hundred files. */
function history(first: Oid, count: number): string {
  const parts: string[] = [];
  for (let i = 1; i <= count; i++) {
    const message = `round ${i} of many`;
    parts.push(
      `commit refs/heads/main\ncommitter DevLoop <devloop@devloop.local> ${1_700_000_000 + i} +0000\ndata ${message.length}\n${message}\n`,
      i === 1 ? `from ${first}\n` : '',
      `M 100644 inline n.txt\ndata ${`${i}`.length}\n${i}\n`,
      `M 100644 inline units/a/code/${i % 100}.txt\ndata ${`${i}`.length}\n${i}\n`,
    );
  }
  return parts.join('');
}

/** The server's own lines for commits that it did not make. */
function record(state: string, shas: readonly Oid[]): void {
  const { log } = openAppendLog(join(state, 'refs.ndjson'));
  const ts = new Date().toISOString();
  const lines = shas
    .slice(1)
    .map((sha, i) => ({ n: i + 2, updates: [{ ref: 'refs/heads/main', old: shas[i], new: sha }], ts }));
  log.append(lines);
}
