import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { commit } from '../../../server/vault/commit.ts';
import { rescues } from '../../../server/vault/rescues.ts';
import { checkSeal, endSeal, seal } from '../../../server/vault/seal/seal.ts';
import { tag } from '../../../server/vault/tag.ts';
import { verify } from '../../../server/vault/verify.ts';
import { commitSpec, type ProjectVault, projectVault } from '../../support/project-vault.ts';
import { rawGit } from '../../support/raw-git.ts';

interface Sealed extends ProjectVault {
  /** Absolute path beside the project, for what is moved away. */
  readonly folderAside: string;
  /** Absolute path of something below `.git`. */
  readonly at: (path: string) => string;
  /** Ends the call and gives what was found. */
  readonly check: () => Promise<readonly string[]>;
}

/** A project with loose objects, a pack, a tag and packed refs, and an agent call that has begun. */
async function sealed(t: TestContext, dataName?: string): Promise<Sealed> {
  const project = await projectVault(t, dataName === undefined ? {} : { dataName });
  for (let i = 0; i < 6; i++) project.put(`packed/${i}`);
  await project.commit({ tag: { name: 'prd-rev-1', message: 'x' } });
  project.git('pack-refs', '--all');
  project.put('later');
  await project.commit();
  // A single object has a file of its own.
  await project.exclusive((vault) => tag(vault, { name: 'loose', message: 'x' }));
  project.git('branch', 'mine');
  await project.exclusive(seal);
  return {
    ...project,
    folderAside: join(project.dataDir, 'aside'),
    at: (path) => join(project.gitDir, path),
    check: () => project.exclusive(checkSeal),
  };
}

const firstLoose = (gitDir: string): string => {
  const folder = readdirSync(join(gitDir, 'objects')).find((name) => name.length === 2) ?? '';
  return join('objects', folder, readdirSync(join(gitDir, 'objects', folder))[0] ?? '');
};
const pack = (gitDir: string): string =>
  `objects/pack/${readdirSync(join(gitDir, 'objects/pack')).find((name) => name.endsWith('.pack'))}`;
const overwrite = (path: string, content: string): void => {
  chmodSync(path, 0o644);
  writeFileSync(path, content);
};

/** What an agent could do to `.git`, one at a time. */
const TAMPERINGS: Readonly<Record<string, (project: Sealed) => void>> = {
  'config rewritten': ({ at }) => appendFileSync(at('config'), '[core]\n\tfsmonitor = /bin/false\n'),
  'config rewritten with its size and times put back': ({ at }) => {
    const { atime, mtime } = statSync(at('config'));
    writeFileSync(at('config'), readFileSync(at('config'), 'latin1').replace('false', 'fals3'));
    utimesSync(at('config'), atime, mtime);
  },
  'config replaced by a link': ({ at }) => {
    rmSync(at('config'));
    symlinkSync('/dev/null', at('config'));
  },
  'config removed': ({ at }) => rmSync(at('config')),
  'HEAD detached': ({ at, git }) => writeFileSync(at('HEAD'), `${git('rev-parse', 'HEAD')}\n`),
  'HEAD on another branch': ({ at }) => writeFileSync(at('HEAD'), 'ref: refs/heads/mine\n'),
  'HEAD a pipe': ({ at }) => {
    rmSync(at('HEAD'));
    execFileSync('mkfifo', [at('HEAD')]);
  },
  'a hook planted': ({ at }) => {
    mkdirSync(at('hooks'), { recursive: true });
    writeFileSync(at('hooks/post-checkout'), '#!/bin/sh\n', { mode: 0o755 });
  },
  'attributes planted': ({ at }) => writeFileSync(at('info/attributes'), '* filter=x\n'),
  'exclude planted': ({ at }) => writeFileSync(at('info/exclude'), '*\n'),
  'grafts planted': ({ at }) => writeFileSync(at('info/grafts'), ''),
  'alternates planted': ({ at }) => writeFileSync(at('objects/info/alternates'), '/nonexistent\n'),
  'a shallow list planted': ({ at }) => writeFileSync(at('shallow'), ''),
  'commondir planted': ({ at }) => writeFileSync(at('commondir'), '/nonexistent\n'),
  'a worktree config planted': ({ at }) => writeFileSync(at('config.worktree'), ''),
  'a replacement ref': ({ git }) => git('replace', 'HEAD', 'HEAD~1'),
  'main moved': ({ git }) => git('update-ref', 'refs/heads/main', 'HEAD~1'),
  'main removed': ({ at, git }) => {
    rmSync(at('refs/heads/main'), { force: true });
    git('update-ref', '-d', 'refs/heads/main');
  },
  'main made unreadable': ({ at }) => writeFileSync(at('refs/heads/main'), 'ref: refs/heads/none\n'),
  'a tag moved': ({ git }) => git('tag', '-f', 'prd-rev-1', 'HEAD'),
  'a tag removed': ({ git }) => git('tag', '-d', 'prd-rev-1'),
  'a tag added': ({ git }) => git('tag', 'planted'),
  'a person’s branch moved': ({ git }) => git('branch', '-f', 'mine', 'HEAD~1'),
  'packed refs rewritten': ({ at }) => writeFileSync(at('packed-refs'), `${'1'.repeat(40)} refs/tags/prd-rev-1\n`),
  'a loose object swapped': ({ at, gitDir }) => overwrite(at(firstLoose(gitDir)), 'swapped'),
  'a loose object removed': ({ at, gitDir }) => rmSync(at(firstLoose(gitDir))),
  'a pack damaged': ({ at, gitDir }) => overwrite(at(pack(gitDir)), 'damaged'),
  'a pack removed': ({ at, gitDir }) => rmSync(at(pack(gitDir))),
  'an object planted': ({ root }) => rawGit(root, 'planted')('hash-object', '-w', '--stdin'),
  'a pack planted': ({ at }) => writeFileSync(at(`objects/pack/pack-${'0'.repeat(40)}.pack`), ''),
  'a commit-graph planted': ({ git }) => git('commit-graph', 'write', '--reachable'),
  'the objects folder replaced by a link': ({ at, folderAside }) => {
    renameSync(at('objects'), folderAside);
    symlinkSync(folderAside, at('objects'));
  },
  'the refs folder emptied': ({ at }) => rmSync(at('refs'), { recursive: true }),
  'the objects folder closed': ({ at }) => chmodSync(at('objects'), 0),
  'a file with a second name': ({ at, folderAside }) => linkSync(at('HEAD'), folderAside),
  'the index replaced by a link': ({ at }) => {
    rmSync(at('index'));
    symlinkSync('/dev/null', at('index'));
  },
  'the index removed': ({ at }) => rmSync(at('index')),
  'a lock left': ({ at }) => writeFileSync(at('refs/heads/main.lock'), ''),
  'a message file left as a link': ({ at }) => symlinkSync('/dev/null', at('COMMIT_EDITMSG')),
  'a reflog planted': ({ at }) => {
    mkdirSync(at('logs'));
    symlinkSync('/dev/null', at('logs/HEAD'));
  },
  '.git removed': ({ gitDir }) => rmSync(gitDir, { recursive: true }),
  '.git moved away': ({ gitDir, folderAside }) => renameSync(gitDir, folderAside),
  '.git replaced by a link': ({ gitDir, folderAside }) => {
    renameSync(gitDir, folderAside);
    symlinkSync(folderAside, gitDir);
  },
  '.git replaced by a file': ({ gitDir, folderAside }) => {
    renameSync(gitDir, folderAside);
    writeFileSync(gitDir, `gitdir: ${folderAside}\n`);
  },
  '.git made anew': ({ gitDir, root }) => {
    rmSync(gitDir, { recursive: true });
    rawGit(root)('init', '-q', '-b', 'main');
    rawGit(root)('commit', '-q', '--allow-empty', '-m', 'mine');
  },
};

for (const [what, tamper] of Object.entries(TAMPERINGS)) {
  test(`found and put back: ${what}`, async (t) => {
    const project = await sealed(t);
    const refs = project.git('for-each-ref');
    tamper(project);
    const names = await project.check();
    assert.ok(names.length > 0);
    assert.equal(project.git('for-each-ref', 'refs/heads', 'refs/tags'), refs);
    assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
    assert.equal(project.git('status', '--porcelain'), '');
    assert.deepEqual(await project.check(), []);
    await project.exclusive(seal);
    assert.deepEqual(await project.check(), []);
    project.put('next');
    await project.commit();
  });
}

test('in a data folder whose name is not ASCII, refs are where they are and what is changed is put back', async (t) => {
  const project = await sealed(t, 'mes données 数据');
  const beside = readdirSync(join(project.dataDir, '..'));
  assert.deepEqual(await project.check(), []);
  rmSync(project.at('info'), { recursive: true });
  mkdirSync(project.at('mine'));
  chmodSync(project.at('refs'), 0);
  const found = await project.check();
  for (const name of ['.git/info', '.git/mine', '.git/refs']) assert.ok(found.includes(name), name);
  assert.deepEqual(await project.check(), []);
  assert.deepEqual(readdirSync(join(project.dataDir, '..')), beside);
});

test('what a person’s git does to look at the project is no tampering', async (t) => {
  const project = await sealed(t);
  project.put('loose', 'changed');
  for (const command of ['status', 'log', 'diff', 'show', 'branch', 'for-each-ref', 'fsck', 'rev-parse HEAD'])
    project.git(...command.split(' '));
  writeFileSync(project.at('index.lock'), '');
  assert.deepEqual(await project.check(), []);
});

test('commits, tags and attempts of the server while a call runs are no tampering, and what is changed besides is found', async (t) => {
  const project = await sealed(t);
  const underSeal = (change: Parameters<typeof commitSpec>[0]) =>
    project.write((vault) => commit(vault, commitSpec(change)));
  for (let i = 0; i < 8; i++) project.put(`more/${i}`);
  await underSeal({ tag: { name: 'sdd-rev-1', message: 'x' } });
  project.put('again');
  await underSeal({});
  const head = project.git('rev-parse', 'HEAD');
  appendFileSync(project.at('config'), '# mine\n');
  project.git('update-ref', 'refs/heads/main', 'HEAD~1');
  assert.deepEqual(await project.check(), ['.git/config', '.git/refs/heads/main']);
  assert.equal(project.git('rev-parse', 'HEAD'), head);
  assert.equal(project.git('tag', '--list', 'sdd-rev-1'), 'sdd-rev-1');
});

test('what is changed before a write of the server’s own is put back first, and told at the end of the call', async (t) => {
  const project = await sealed(t);
  project.git('update-ref', 'refs/heads/main', 'HEAD~1');
  project.put('new');
  await project.commit();
  assert.equal(project.git('rev-list', '--count', 'HEAD'), '4');
  assert.deepEqual(await project.check(), ['.git/refs/heads/main']);
  assert.deepEqual(await project.check(), []);
});

test('calls that run together share a seal: each hears what was changed since the last check', async (t) => {
  const project = await sealed(t);
  await project.exclusive(seal);
  writeFileSync(project.at('config'), '');
  assert.deepEqual(await project.check(), ['.git/config']);
  writeFileSync(project.at('HEAD'), '');
  assert.deepEqual(await project.check(), ['.git/HEAD']);
  await project.exclusive(async (vault) => endSeal(vault));
  writeFileSync(project.at('config'), '');
  assert.deepEqual(await project.check(), []);
});

test('an agent’s own commits are kept as rescues, with their files and their history', async (t) => {
  const project = await sealed(t);
  project.put('agent-work', 'precious');
  project.git('checkout', '-q', '-b', 'feature');
  project.git('add', 'agent-work');
  project.git('commit', '-qm', 'my work');
  const theirs = project.git('rev-parse', 'HEAD');
  project.git('checkout', '-q', 'main');
  rmSync(join(project.root, 'agent-work'), { force: true });
  const names = await project.check();
  assert.ok(names.includes('.git/refs/heads/feature'));
  const [rescue, ...more] = await project.write((vault) => rescues(vault));
  assert.deepEqual([rescue?.reason, more.length], ['vault-tampered', 0]);
  assert.equal(project.git('rev-parse', `${rescue?.sha}^2`), theirs);
  assert.equal(project.git('show', `${rescue?.sha}:agent-work`), 'precious');
  assert.throws(() => project.git('rev-parse', '--verify', '--quiet', 'refs/heads/feature'));
});

test('a commit that does not hold what it says is not brought in', async (t) => {
  const project = await sealed(t);
  const blob = rawGit(project.root, 'good')('hash-object', '-w', '--stdin');
  const tree = rawGit(project.root, `100644 blob ${blob}\tf\n`)('mktree');
  const theirs = project.git('commit-tree', '-m', 'x', tree);
  const file = project.at(`objects/${blob.slice(0, 2)}/${blob.slice(2)}`);
  const other = rawGit(project.root, 'evil')('hash-object', '-w', '--stdin');
  overwrite(file, '');
  writeFileSync(file, readFileSync(project.at(`objects/${other.slice(0, 2)}/${other.slice(2)}`)));
  project.git('update-ref', 'refs/tags/theirs', theirs);
  assert.match((await project.check()).join('\n'), new RegExp(`commit ${theirs} .* was set aside`));
  assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
});

test('no agent is let at a repository with traps in it', async (t) => {
  const traps: Readonly<Record<string, (project: ProjectVault) => void>> = {
    link: ({ gitDir }) => symlinkSync('/dev/null', join(gitDir, 'COMMIT_EDITMSG')),
    pipe: ({ gitDir }) => void execFileSync('mkfifo', [join(gitDir, 'x')]),
    alternates: ({ gitDir }) => writeFileSync(join(gitDir, 'objects/info/alternates'), ''),
    grafts: ({ gitDir }) => writeFileSync(join(gitDir, 'info/grafts'), ''),
    replace: ({ git }) => void git('replace', '-f', 'HEAD', 'HEAD^{tree}'),
    main: ({ git }) => void git('commit', '-q', '--allow-empty', '-m', 'by hand'),
    gone: ({ gitDir }) => rmSync(gitDir, { recursive: true }),
  };
  for (const [what, plant] of Object.entries(traps)) {
    const project = await projectVault(t);
    plant(project);
    await assert.rejects(project.exclusive(seal), (error) => isDevLoopError(error, 'vault_tampered'), what);
    assert.deepEqual(await project.exclusive(checkSeal), []);
  }
});

test('no call begins before the mirror holds every ref', async (t) => {
  const project = await sealed(t);
  assert.equal(rawGit(join(project.state, 'mirror.git'))('rev-parse', 'main'), project.git('rev-parse', 'main'));
  project.put('x');
  await project.commit();
  assert.equal(rawGit(join(project.state, 'mirror.git'))('rev-parse', 'main'), project.git('rev-parse', 'main'));
});

test('a server that was killed during a call puts back at boot what the call changed', async (t) => {
  const project = await sealed(t);
  project.reopen();
  rmSync(project.gitDir, { recursive: true });
  const { repaired } = await project.inspect();
  assert.deepEqual(repaired, ['put back what an agent had changed: .git']);
  assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
  assert.deepEqual(await project.check(), []);
});

test('only the latest of what was set aside is kept', async (t) => {
  const project = await sealed(t);
  for (let i = 0; i < 24; i++) {
    writeFileSync(project.at('planted'), `${i}`);
    await project.write(async () => {});
  }
  assert.ok(readdirSync(join(project.state, 'set-aside')).length <= 21);
});

test('a kill between a write of the server’s own and its note in the seal is no tampering', async (t) => {
  const project = await sealed(t);
  for (let i = 0; i < 8; i++) project.put(`more/${i}`);
  const { sha } = await project.commit();
  // As the write left it: nothing of what it wrote is in the seal yet.
  const seals = join(project.state, 'seal.json');
  const before = JSON.parse(readFileSync(seals, 'utf8'));
  const ours = /^(?:objects|refs)\//;
  const entries = before.entries.filter(([path]: [string]) => !ours.test(path));
  writeFileSync(seals, JSON.stringify({ ...before, entries, writing: true }));
  writeFileSync(project.at('refs/heads/main.lock'), '');
  project.reopen();
  const { repaired, problems } = await project.inspect();
  assert.deepEqual([repaired, problems], [[], []]);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
});

test('a project whose repository is gone is made anew at boot, with all refs and a clean status', async (t) => {
  const project = await sealed(t);
  await project.exclusive(async (vault) => endSeal(vault));
  const [refs, tree] = [
    project.git('for-each-ref', 'refs/heads/main', 'refs/tags'),
    project.git('rev-parse', 'HEAD^{tree}'),
  ];
  for (const remove of ['.git', '.git/objects', '.git/refs']) {
    rmSync(join(project.root, remove), { recursive: true });
    project.reopen();
    await project.inspect();
    assert.equal(project.git('for-each-ref', 'refs/heads/main', 'refs/tags'), refs, remove);
    assert.equal(project.git('rev-parse', 'HEAD^{tree}'), tree);
    assert.equal(project.git('status', '--porcelain'), '');
    assert.deepEqual((await project.write((vault) => verify(vault))).problems, []);
  }
});

test('what an agent changes while its earlier changes are put back is found by the next check', async (t) => {
  const project = await sealed(t);
  const { at, check } = project;
  for (const path of ['config', 'objects', 'refs']) rmSync(at(path), { recursive: true });
  const first = check();
  // It looks at `.git` at once, and puts back afterwards.
  await setImmediate();
  mkdirSync(at('hooks'));
  writeFileSync(at('hooks/post-checkout'), '#!/bin/sh\n', { mode: 0o755 });
  appendFileSync(at('info/attributes'), '* filter=mine\n');
  assert.deepEqual(await first, ['.git/config', '.git/objects', '.git/refs']);
  rmSync(at('HEAD'));
  assert.deepEqual(await check(), ['.git/HEAD', '.git/hooks', '.git/info/attributes']);
  assert.ok(!readdirSync(project.gitDir).includes('hooks'));
  assert.deepEqual(await check(), []);
  assert.equal(project.git('fsck', '--strict', '--no-dangling'), '');
});

test('a main that an agent moved back is put right after a kill, and the last commit is not forgotten', async (t) => {
  const project = await sealed(t);
  project.put('last');
  const { sha } = await project.commit();
  project.git('update-ref', 'refs/heads/main', 'HEAD~1');
  project.reopen();
  assert.deepEqual((await project.inspect()).repaired.slice(0, 1), [
    'put back what an agent had changed: .git/refs/heads/main',
  ]);
  assert.equal(project.git('rev-parse', 'main'), sha);
});
