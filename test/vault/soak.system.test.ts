import assert from 'node:assert/strict';
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { type Oid, type ProjectId, parseProjectId, parseUnitId } from '../../server/domain/ids.ts';
import { openGitVault } from '../../server/vault/git-vault.ts';
import { mirrorDir } from '../../server/vault/mirror/mirror-dir.ts';
import { COMPANY, projectFolders } from '../support/project-folders.ts';
import { commitSpec } from '../support/project-vault.ts';
import { rawGit } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** DEVLOOP_SOAK_SECONDS=60 tries it for a minute. */
const SECONDS = Number(process.env.DEVLOOP_SOAK_SECONDS ?? 10);
const PROJECTS = 50;
const UNIT = parseUnitId('a');
const README = bytePathFromText('units/a/code/0.js');

interface Worked {
  readonly pid: ProjectId;
  readonly root: string;
  readonly state: string;
  /** Commits that were acknowledged, oldest first. */
  readonly commits: Oid[];
  attempts: number;
  rescues: number;
}

async function soaked(t: TestContext) {
  const dataDir = scratchFolder(t);
  mkdirSync(join(dataDir, 'companies'), { recursive: true });
  const folders = projectFolders(dataDir);
  const settings = { max_file_bytes: 50_000_000, now: () => new Date() };
  const vault = openGitVault({ locate: (pid) => folders.locate(pid), settings });
  t.after(() => vault.close());
  const projects: Worked[] = [];
  for (let i = 0; i < PROJECTS; i++) {
    const pid = parseProjectId(`p-${String(i).padStart(8, '0')}`);
    const { root, state } = await folders.create(COMPANY, pid);
    writeFileSync(join(root, 'project.json'), `{"pid":"${pid}"}\n`);
    const { head } = await vault.init(pid, commitSpec({ kind: 'init', files: ['project.json'] }));
    projects.push({ pid, root, state, commits: [head], attempts: 0, rescues: 0 });
  }
  return { vault, projects };
}

type Vault = Awaited<ReturnType<typeof soaked>>['vault'];

function write({ root }: Worked, round: number): void {
  mkdirSync(join(root, 'units/a/code'), { recursive: true });
  for (let i = 0; i < 5; i++)
    writeFileSync(join(root, 'units/a/code', `${i}.js`), `export const n = ${round * 7 + i};\n`);
}

/** One round of what changes a project. */
async function change(vault: Vault, project: Worked, round: number): Promise<void> {
  const { pid } = project;
  write(project, round);
  if (round % 5 === 3) {
    const about = { ...commitSpec({ files: ['units/a/**'] }), unit: UNIT, round: 1, attempt: ++project.attempts };
    await vault.saveAttempt(pid, { ...about, verdict: 'red' });
  }
  if (round % 4 === 2) {
    const { rescue } = await vault.resetWorkingTree(pid, { ref: 'HEAD', reason: 'soak' });
    if (rescue !== undefined) project.rescues++;
    return;
  }
  const tag = round % 6 === 0 ? { tag: { name: `round-${round}`, message: `round ${round}` } } : {};
  const outcome = await vault.commit(pid, commitSpec({ ...tag, subject: `round ${round}`, trailers: [] }));
  assert.equal(outcome.kind, 'committed');
  if (outcome.kind === 'committed') project.commits.push(outcome.sha);
}

/** One round of what looks at it, beside what changes it. */
async function look(vault: Vault, { pid }: Worked, round: number): Promise<void> {
  const { items } = await vault.log(pid, { limit: 3 });
  const [newest] = items;
  assert.ok(newest !== undefined);
  await vault.status(pid);
  if (items.length > 1)
    assert.match((await vault.readFile(pid, newest.sha, README)).content.toString(), /^export const n/);
  const format = (['tar', 'zip', 'tar.gz'] as const)[round % 3] ?? 'tar';
  let bytes = 0;
  for await (const chunk of await vault.archive(pid, newest.sha, { format })) bytes += chunk.length;
  assert.ok(bytes > 100);
}

async function until(end: number, work: (round: number) => Promise<void>): Promise<number> {
  let round = 1;
  for (; performance.now() < end; round++) await work(round);
  return round - 1;
}

describe(`${PROJECTS} projects that are committed to, read, archived and reset at once for ${SECONDS} s`, {
  timeout: 600_000,
}, () => {
  it('meet no error, lose nothing, and leave sound repositories without a lock', async (t) => {
    const { vault, projects } = await soaked(t);
    const end = performance.now() + SECONDS * 1000;
    const loops = projects.map(async (project) => {
      const [changes, looks] = await Promise.all([
        until(end, (round) => change(vault, project, round)),
        until(end, (round) => look(vault, project, round)),
      ]);
      return { changes, looks };
    });
    const done = await Promise.all(loops);
    const sum = (of: (one: (typeof done)[number]) => number) => done.reduce((total, one) => total + of(one), 0);
    t.diagnostic(
      `${sum(({ changes }) => changes)} rounds of changes, ${sum(({ looks }) => looks)} of looking and archiving`,
    );
    for (const { pid } of projects) await vault.findings(pid);
    await vault.close();

    for (const { root, state, commits, attempts, rescues } of projects) {
      const git = rawGit(root);
      assert.deepEqual(git('rev-list', '--reverse', 'HEAD').split('\n'), commits);
      assert.equal(git('fsck', '--strict', '--full', '--no-dangling'), '');
      const count = (refs: string) => git('for-each-ref', '--format=x', refs).split('\n').filter(Boolean).length;
      assert.deepEqual([count('refs/devloop/attempts'), count('refs/devloop/rescue')], [attempts, rescues]);
      assert.deepEqual(globSync('**/*.lock', { cwd: join(root, '.git') }), []);
      assert.deepEqual(globSync('objects/**/tmp_*', { cwd: join(root, '.git') }), []);
      assert.equal(rawGit(mirrorDir(state))('fsck', '--strict', '--no-dangling'), '');
    }
  });
});
