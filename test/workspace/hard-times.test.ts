import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { gitBytes } from '../support/git-bytes.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { bareEnvironment } from '../support/running-server.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const ENTRY = join(import.meta.dirname, '../../server/workspace/index.ts');
const storeOf = ({ workspaces }: WorkspaceLab): string => workspaces.list()[0]?.store ?? '';
const point = ({ workspace }: WorkspaceLab, reason = 'x') => workspace.takePoint({ reason });

/** Turns of one process in a folder that another one works in as well. */
const TURNS = `
const { openWorkspaces } = await import(${JSON.stringify(ENTRY)});
const { writeFileSync } = await import('node:fs');
const [root, folder, name] = process.argv.slice(1);
const workspace = openWorkspaces({ stateDir: folder + '/state', home: folder + '/home', maxTurns: 50, exclude: [], include: [], largeFileBytes: 1000, now: () => new Date() }).open(root);
for (let i = 0; i < 4; i++) await workspace.runTurn({ actor: name }, async () => writeFileSync(root + '/' + name, String(i)));
await workspace.close();`;

async function turnsOf({ root, folder }: WorkspaceLab, name: string): Promise<void> {
  const argv = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', TURNS, root, folder, name];
  const child = spawn(process.execPath, argv, { env: bareEnvironment(folder), stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(child, 'close')) as [number | null];
  assert.equal(status, 0);
}

test('two processes that work in one folder at once: every turn of both is kept whole, in one order', () =>
  inWorkspace(async (lab) => {
    lab.put('shared', '0');
    await Promise.all([turnsOf(lab, 'one'), turnsOf(lab, 'two')]);
    const turns = await lab.workspace.turns();
    assert.deepEqual(
      ['one', 'two'].map((name) => turns.filter(({ pre, state }) => pre.actor === name && state === 'ended').length),
      [4, 4],
    );
    const seqs = (await lab.workspace.points()).map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      [...seqs.keys()].map((i) => seqs.length - i),
    );
    assert.deepEqual((await lab.workspace.verify()).problems, []);
    const first = turns.at(-1)?.pre.id ?? '';
    await lab.restore({ point: first });
    assert.deepEqual(lab.files(), { shared: 'file 644 0' });
  }));

test('what one opening of a folder planned is refused after another one changed it', () =>
  inWorkspace(async (lab) => {
    lab.put('f', '1');
    const saved = await point(lab);
    lab.put('f', '2');
    const plan = await lab.workspace.planRestore({ point: saved.id });
    const other = lab.workspaces.open(lab.root);
    const its = await other.planRestore({ point: saved.id });
    await other.applyRestore(its.id, its.digest);
    await assert.rejects(lab.workspace.applyRestore(plan.id, plan.digest), { code: 'plan_stale' });
    await other.close();
  }));

test('a workspace that is a worktree or a submodule is saved and restored, and its .git file and history stay', () =>
  inWorkspace(async (lab) => {
    const [library, main] = ['library', 'main'].map((name) => join(lab.folder, 'user', name)) as [string, string];
    for (const at of [library, main]) {
      mkdirSync(at);
      rawGit(at, ['init', '-q', '-b', 'main']);
      writeFileSync(join(at, 'f'), '1');
      rawGit(at, ['add', '.']);
      rawGit(at, ['commit', '-qm', 'x']);
    }
    rawGit(main, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'sub']);
    rawGit(main, ['worktree', 'add', '-q', join(lab.folder, 'user/tree'), '-b', 'side']);
    const before = gitBytes(main);
    for (const [root, kind] of [
      [join(main, 'sub'), 'submodule'],
      [join(lab.folder, 'user/tree'), 'worktree'],
    ] as const) {
      const workspace = lab.workspaces.open(root);
      const saved = await workspace.takePoint({ reason: 'x' });
      assert.deepEqual(
        saved.nested.map(({ path, kind: found }) => [path, found]),
        [['', kind]],
      );
      const link = readFileSync(join(root, '.git'), 'utf8');
      writeFileSync(join(root, 'f'), '2');
      const plan = await workspace.planRestore({ point: saved.id });
      await workspace.applyRestore(plan.id, plan.digest);
      assert.deepEqual([readFileSync(join(root, 'f'), 'utf8'), readFileSync(join(root, '.git'), 'utf8')], ['1', link]);
      await workspace.undoRestore();
      await workspace.close();
    }
    assert.equal(gitBytes(main), before);
  }));

test('a folder that vanishes in a turn, or between plan and apply, is not made again, and its points stay', () =>
  inWorkspace(async (lab) => {
    lab.put('f', '1');
    const gone = lab.workspace.runTurn({}, async () => rmSync(lab.root, { recursive: true }));
    await assert.rejects(gone, { code: 'not_found' });
    assert.ok(!existsSync(lab.root));
    mkdirSync(lab.root);
    const plan = await lab.workspace.planPreTurn(0);
    renameSync(lab.root, `${lab.root}-away`);
    await assert.rejects(lab.workspace.applyRestore(plan.id, plan.digest), { code: 'not_found' });
    assert.ok(!existsSync(lab.root));
    renameSync(`${lab.root}-away`, lab.root);
    const again = await lab.workspace.planPreTurn(0);
    await lab.workspace.applyRestore(again.id, again.digest);
    assert.deepEqual(lab.files(), { f: 'file 644 1' });
  }));

for (const [damage, hurt] of [
  ['lost', (pack: string) => rmSync(pack)],
  ['cut short', (pack: string) => truncateSync(pack, 40)],
  ['overwritten', (pack: string) => writeFileSync(pack, Buffer.alloc(statSync(pack).size, 'x'))],
] as const) {
  test(`where part of the store is ${damage}, that is told, nothing of it gets into the folder, and all else works on`, () =>
    inWorkspace(async (lab) => {
      lab.put('f', 'first');
      const first = await point(lab);
      const [pack = ''] = globSync(join(storeOf(lab), 'vcs.git/objects/pack/*.pack'));
      lab.put('f', 'second');
      const second = await point(lab);
      lab.put('f', 'third');
      await lab.workspace.close();
      chmodSync(pack, 0o644);
      hurt(pack);
      const again = lab.workspaces.open(lab.root);
      const restore = async (id: string) => {
        const plan = await again.planRestore({ point: id });
        return again.applyRestore(plan.id, plan.digest);
      };
      await assert.rejects(restore(first.id), isDevLoopError);
      assert.deepEqual(lab.files(), { f: 'file 644 third' });
      assert.ok((await again.verify()).problems.length > 0);
      await restore(second.id);
      assert.deepEqual(lab.files(), { f: 'file 644 second' });
      lab.put('f', 'first');
      const made = await again.takePoint({ reason: 'whole' });
      lab.put('f', 'fourth');
      await restore(made.id);
      assert.deepEqual(lab.files(), { f: 'file 644 first' });
      await again.close();
    }));
}
