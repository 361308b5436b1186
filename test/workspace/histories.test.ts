import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parsePointId } from '../../server/domain/point.ts';
import { newKey } from '../../server/workspace/histories/age.ts';
import { gitBytes } from '../support/git-bytes.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

interface HistoryLab extends WorkspaceLab {
  readonly identity: string;
  /** A repository in the workspace with some commits. */
  readonly repository: (name: string) => string;
  readonly point: () => ReturnType<WorkspaceLab['workspace']['takePoint']>;
  /** Unpacks a history of the newest point. */
  readonly unpack: (name: string, to: string, identity?: string) => Promise<string>;
}

async function inHistoryLab(
  use: (lab: HistoryLab) => Promise<void>,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const { recipient, identity } = await newKey();
  await inWorkspace(async (lab) => {
    const { root, workspaces, workspace, folder } = lab;
    workspace.changeSettings({ nested_history: true, history_recipients: [recipient], ...settings });
    await workspace.close();
    const opened = workspaces.open(root);
    const repository = (name: string): string => {
      const at = join(root, name);
      mkdirSync(at, { recursive: true });
      rawGit(at, ['init', '-q', '-b', 'trunk']);
      for (const text of ['1', '2']) {
        writeFileSync(join(at, 'file'), `${name} ${text}`);
        rawGit(at, ['add', 'file']);
        rawGit(at, ['commit', '-qm', `commit ${text}`]);
      }
      return at;
    };
    const unpack = async (name: string, to: string, key = identity): Promise<string> => {
      const [newest] = await opened.points();
      const target = join(folder, to);
      const how = { to: target, identities: [key] };
      await opened.restoreHistory(parsePointId(newest?.id ?? ''), bytePathFromText(name), how);
      return target;
    };
    await use({
      ...lab,
      workspace: opened,
      identity,
      repository,
      unpack,
      point: () => opened.takePoint({ reason: 'x' }),
    });
    await opened.close();
  });
}

const refsOf = (at: string): string => rawGit(at, ['for-each-ref', '--format=%(objectname) %(refname)']);
const storeOf = ({ workspaces }: WorkspaceLab): string => workspaces.list()[0]?.store ?? '';

test('histories are saved where the settings ask for it, and only there', async () => {
  await inHistoryLab(async ({ repository, point, workspace }) => {
    repository('a');
    const saved = await point();
    assert.deepEqual(
      saved.nested.map(({ path, git_history_saved, history }) => [path, git_history_saved, history?.refs]),
      [['a', true, 2]],
    );
    workspace.changeSettings({ nested_history: false });
  });
  await inWorkspace(async ({ workspace, root }) => {
    rawGit(root, ['init', '-q']);
    rawGit(root, ['commit', '-qm', 'x', '--allow-empty']);
    const [row] = (await workspace.takePoint({ reason: 'x' })).nested;
    assert.deepEqual([row?.git_history_saved, row?.history, row?.history_left_out], [false, undefined, undefined]);
  });
});

test('a history comes back whole: branches, tags, notes, HEAD, and the settings of a plain repository', async () => {
  await inHistoryLab(async ({ repository, point, unpack }) => {
    const at = repository('deep/in/it');
    rawGit(at, ['tag', '-a', 'v1', '-m', 'one']);
    rawGit(at, ['branch', 'other', 'HEAD~1']);
    rawGit(at, ['notes', 'add', '-m', 'a note']);
    rawGit(at, ['branch', 'n\xe4me']);
    await point();
    const back = await unpack('deep/in/it', 'back');
    assert.equal(refsOf(back), refsOf(at));
    assert.equal(rawGit(back, ['rev-parse', 'HEAD']), rawGit(at, ['rev-parse', 'HEAD']));
    assert.equal(rawGit(back, ['symbolic-ref', 'HEAD']), 'refs/heads/trunk\n');
    rawGit(back, ['fsck', '--strict', '--full']);
    assert.equal(rawGit(back, ['show', 'other:file']), 'deep/in/it 1');
    assert.equal(rawGit(back, ['rev-parse', '--is-bare-repository']), 'true\n');
    const inPlace = await unpack('deep/in/it', 'fresh/.git').catch((error: Error) => error.message);
    assert.match(inPlace, /there is no folder/);
  });
});

test('unpacked as .git beside restored files it is a repository with them as its work tree', async () => {
  await inHistoryLab(async ({ repository, point, unpack, workspace, folder }) => {
    repository('a');
    const { id } = await point();
    await workspace.restoreInto(parsePointId(id), join(folder, 'copy'));
    await unpack('a', 'copy/a/.git');
    const at = join(folder, 'copy/a');
    rawGit(at, ['reset', '-q']);
    assert.equal(rawGit(at, ['status', '--porcelain']), '');
    assert.equal(rawGit(at, ['log', '--format=%s']), 'commit 2\ncommit 1\n');
  });
});

test('nothing is written over: what is there stays, and a broken restore leaves nothing', async () => {
  await inHistoryLab(async ({ repository, point, unpack, folder }) => {
    const at = repository('a');
    await point();
    const before = gitBytes(at);
    await assert.rejects(unpack('a', 'user/mine/a/.git'), { code: 'conflict' });
    await assert.rejects(unpack('a', 'new', (await newKey()).identity), { code: 'permission_denied' });
    await assert.rejects(unpack('nowhere', 'new'), { code: 'not_found' });
    assert.equal(gitBytes(at), before);
    assert.deepEqual(readdirSync(folder).sort(), ['home', 'state', 'user']);
  });
});

test('what is kept is encrypted, and one state of the refs is kept once', async () => {
  await inHistoryLab(async (lab) => {
    const { repository, point, workspace } = lab;
    const at = repository('a');
    const [first] = (await point()).nested;
    const [second] = (await point()).nested;
    assert.deepEqual(second?.history, first?.history);
    rawGit(at, ['commit', '-qm', '3', '--allow-empty']);
    const third = await point();
    assert.notEqual(third.nested[0]?.history?.key, first?.history?.key);
    const { content, size } = await workspace.openHistory(parsePointId(third.id), bytePathFromText('a'));
    const bytes = Buffer.concat(await Readable.from(content).toArray());
    assert.equal(bytes.length, size);
    assert.match(bytes.toString('latin1'), /^age-encryption\.org\/v1\n-> X25519 /);
    assert.ok(!bytes.includes('git bundle') && !bytes.includes('refs/heads'));
    const kept = readdirSync(join(storeOf(lab), 'objects'), { recursive: true }).filter(
      (name) => String(name).length > 60,
    );
    assert.equal(kept.length, 2);
    assert.deepEqual((await workspace.verify()).problems, []);
  });
});

test('histories are verified, pruned and purged with the points that hold them', async () => {
  await inHistoryLab(async (lab) => {
    const { repository, point, workspace } = lab;
    repository('a');
    const { id, nested } = await point();
    const sha256 = nested[0]?.history?.sha256 ?? '';
    const path = join(storeOf(lab), 'objects', sha256.slice(0, 2), sha256);
    await workspace.prune();
    assert.ok(existsSync(path));
    await workspace.purge(bytePathFromText('a/file'));
    const [purged] = await workspace.points();
    assert.deepEqual([purged?.nested[0]?.git_history_saved, purged?.nested[0]?.history_left_out], [false, 'purged']);
    assert.ok(!existsSync(path), 'it may hold what was purged');
    await point();
    assert.equal(
      (await workspace.purge(bytePathFromText('a/.env'))).points.length,
      1,
      'it was committed once, perhaps',
    );
    const again = await point();
    const file = again.nested[0]?.history?.sha256 ?? '';
    rmSync(join(storeOf(lab), 'objects', file.slice(0, 2), file));
    const { problems } = await workspace.verify();
    assert.match(problems.join(), new RegExp(`\\(the git history of a\\) is missing, and is needed by ${again.id}`));
    assert.notEqual(again.id, id);
  });
});

test('stash entries are saved where they are asked for, every one, and come back in their order', async () => {
  const stashes = (at: string) => rawGit(at, ['log', '-g', '--format=%H %gd %gs', 'refs/stash', '--']);
  for (const nested_stash of [true, false]) {
    await inHistoryLab(
      async ({ repository, point, unpack }) => {
        const at = repository('a');
        for (const text of ['x', 'y', 'z']) {
          writeFileSync(join(at, 'file'), text);
          rawGit(at, ['stash', 'push', '-q']);
        }
        await point();
        const back = await unpack('a', 'back');
        if (nested_stash) assert.equal(stashes(back), stashes(at));
        else assert.ok(!refsOf(back).includes('stash'));
      },
      { nested_stash },
    );
  }
});

test('remotes are saved where they are asked for, without anything that could be a secret', async () => {
  await inHistoryLab(
    async ({ repository, point, unpack }) => {
      const at = repository('a');
      rawGit(at, ['remote', 'add', 'origin', 'https://user:ghp_SECRET1@example.org/a.git?token=SECRET2#SECRET3']);
      rawGit(at, ['remote', 'add', 'ssh', 'ssh://git:SECRET4@example.org:22/a.git']);
      rawGit(at, ['remote', 'add', 'scp', 'git@example.org:a.git']);
      rawGit(at, ['remote', 'add', 'ext', 'ext::sh -c SECRET5']);
      rawGit(at, ['config', 'http.extraHeader', 'Authorization: SECRET6']);
      rawGit(at, ['config', 'url.https://SECRET7@x/.insteadOf', 'x:']);
      const taken = await point();
      assert.deepEqual(taken.nested[0]?.remotes, [
        { name: 'origin', url: 'https://example.org/a.git' },
        { name: 'ssh', url: 'ssh://git@example.org:22/a.git' },
        { name: 'scp', url: 'git@example.org:a.git' },
      ]);
      const config = readFileSync(join(await unpack('a', 'back'), 'config'), 'utf8');
      assert.ok(!JSON.stringify(taken).includes('SECRET') && !config.includes('SECRET'));
      assert.equal(rawGit(join(at, '../../../back'), ['remote', 'get-url', 'scp']), 'git@example.org:a.git\n');
    },
    { nested_remotes: true },
  );
});

test('nothing that a repository configures is run, and nothing in it is written', async () => {
  await inHistoryLab(async ({ repository, point, folder }) => {
    const at = repository('a');
    const marker = join(folder, 'ran');
    const program = join(folder, 'program');
    writeFileSync(program, `#!/bin/sh\necho x >> ${marker}\n`, { mode: 0o755 });
    for (const [key, value] of [
      ['core.fsmonitor', program],
      ['core.hooksPath', folder],
      ['core.sshCommand', program],
      ['core.pager', program],
      ['uploadpack.packObjectsHook', program],
      ['core.alternateRefsCommand', program],
      ['filter.evil.clean', program],
      ['diff.external', program],
      ['gpg.program', program],
    ])
      rawGit(at, ['config', key ?? '', value ?? '']);
    writeFileSync(join(at, '.gitattributes'), '* filter=evil diff=evil\n');
    for (const hook of ['post-index-change', 'pre-auto-gc', 'reference-transaction'])
      writeFileSync(join(at, '.git/hooks', hook), `#!/bin/sh\necho x >> ${marker}\n`, { mode: 0o755 });
    const before = gitBytes(at);
    const [row] = (await point()).nested;
    assert.equal(row?.git_history_saved, true);
    assert.equal(gitBytes(at), before);
    assert.ok(!existsSync(marker));
  });
});

test('what cannot be saved is named with its reason, and the files are kept all the same', async () => {
  await inHistoryLab(async ({ repository, point, folder, root }) => {
    const outside = join(folder, 'private');
    mkdirSync(outside);
    rawGit(outside, ['init', '-q']);
    rawGit(outside, ['commit', '-qm', 'secret', '--allow-empty']);
    mkdirSync(join(root, 'led'));
    writeFileSync(join(root, 'led/.git'), `gitdir: ${outside}/.git\n`);
    mkdirSync(join(root, 'linked'));
    symlinkSync(join(outside, '.git'), join(root, 'linked/.git'));
    const objects = repository('objects');
    rmSync(join(objects, '.git/objects'), { recursive: true });
    symlinkSync(join(outside, '.git/objects'), join(objects, '.git/objects'));
    const borrowed = repository('borrowed');
    writeFileSync(join(borrowed, '.git/objects/info/alternates'), join(outside, '.git/objects'));
    writeFileSync(join(repository('shallow'), '.git/shallow'), '');
    rawGit(repository('sha256'), ['config', 'extensions.partialClone', 'origin']);
    mkdirSync(join(root, 'empty'));
    rawGit(join(root, 'empty'), ['init', '-q']);
    const lost = repository('lost');
    rmSync(join(lost, '.git/objects', rawGit(lost, ['rev-parse', 'HEAD']).slice(0, 2)), { recursive: true });
    writeFileSync(join(repository('torn'), '.git/refs/heads/torn'), 'no id\n');
    const taken = await point();
    const reasons = taken.nested.map(({ path, git_history_saved, history_left_out }) => {
      assert.equal(git_history_saved, false, path);
      return `${path} ${history_left_out}`;
    });
    assert.deepEqual(reasons, [
      'borrowed borrowed',
      'empty empty',
      'led outside',
      'linked outside',
      'lost damaged',
      'objects outside',
      'sha256 format',
      'shallow shallow',
      'torn damaged',
    ]);
    assert.equal(taken.complete, true);
  });
});

test('worktrees and submodules within the workspace are saved as the repositories that they belong to', async () => {
  await inHistoryLab(async ({ repository, point, unpack, root }) => {
    const at = repository('a');
    rawGit(at, ['worktree', 'add', '-q', '-b', 'side', join(root, 'tree')]);
    const taken = await point();
    assert.deepEqual(
      taken.nested.map(({ path, kind, git_history_saved }) => [path, kind, git_history_saved]),
      [
        ['a', 'repo', true],
        ['tree', 'worktree', true],
      ],
    );
    const back = await unpack('tree', 'back');
    assert.equal(rawGit(back, ['symbolic-ref', 'HEAD']), 'refs/heads/side\n');
    assert.equal(refsOf(back), refsOf(at));
  });
});

test('settings by which nothing could be encrypted, or a secret key in place of a recipient, are refused', async () => {
  await inWorkspace(async ({ workspace, workspaces, root }) => {
    const { identity, recipient } = await newKey();
    for (const settings of [
      { nested_history: true },
      { nested_history: true, history_recipients: [] },
      { history_recipients: [`${recipient}x`] },
    ])
      assert.throws(() => workspace.changeSettings(settings), { code: 'validation_failed' });
    assert.throws(() => workspace.changeSettings({ history_recipients: [identity] }));
    assert.throws(() => workspaces.open(join(root, '..'), { settings: { nested_history: true } }), {
      name: 'DevLoopError',
    });
    assert.equal(createHash('sha256').update(JSON.stringify(workspace.file)).digest('hex').length, 64);
    assert.ok(!JSON.stringify(workspaces.list()).includes(identity));
  });
});
