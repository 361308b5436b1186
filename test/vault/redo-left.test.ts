import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { parseOid, ZERO_OID } from '../../server/domain/ids.ts';
import { MAIN } from '../../server/domain/ref-names.ts';
import { readRef } from '../../server/git/refs.ts';
import { commit } from '../../server/vault/commit.ts';
import { inspect } from '../../server/vault/inspect.ts';
import { syncMirror } from '../../server/vault/mirror/mirror.ts';
import { moveRefs } from '../../server/vault/move-refs.ts';
import { vaultNotes } from '../../server/vault/vault-notes.ts';
import { VaultSet } from '../../server/vault/vault-set.ts';
import { PROJECT } from '../support/project-folders.ts';
import { commitSpec, type ProjectVault, projectVault } from '../support/project-vault.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const settings = { max_file_bytes: 1_000_000, now: () => new Date() };

interface Cut {
  readonly project: ProjectVault;
  readonly sha: string;
  readonly before: string;
  /** Files of the commit's objects. */
  readonly packs: readonly string[];
}

/** A commit that was acknowledged, with its note as it was then: nothing else of it need be on the disk. */
async function cutAfterCommit(t: TestContext, first = async (_: ProjectVault): Promise<void> => {}): Promise<Cut> {
  const project = await projectVault(t);
  await first(project);
  const before = project.git('rev-parse', 'HEAD');
  const folder = join(project.gitDir, 'objects/pack');
  const old = new Set(readdirSync(folder));
  project.put('a', 'content of a\n');
  project.reopen();
  const vaults = new VaultSet({ locate: async () => project, settings, ahead: vaultNotes(project.dataDir) });
  const spec = commitSpec({ tag: { name: 't', message: 'm' } });
  const made = await vaults.write(PROJECT, (vault) => commit(vault, spec));
  const note = join(project.dataDir, '.devloop/ahead/0.bin');
  const noted = readFileSync(note);
  await vaults.settled();
  vaults.close();
  writeFileSync(note, noted);
  project.reopen();
  const packs = readdirSync(folder).flatMap((name) => (old.has(name) ? [] : [join(folder, name)]));
  return { project, sha: made.kind === 'committed' ? made.sha : '', before, packs };
}

const noObjects = { complete: async () => [], close: async () => {}, publish: () => async () => {} };

function failing(before: () => void): () => never {
  return () => {
    before();
    throw new Error('no disk');
  };
}

function emptied(path: string): void {
  const { size } = statSync(path);
  rmSync(path);
  writeFileSync(path, Buffer.alloc(size));
}

const withoutLines = ({ state }: ProjectVault, wanted: RegExp): void => {
  const path = join(state, 'refs.ndjson');
  const lines = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, lines.filter((line) => !wanted.test(line)).join('\n'));
};

const CUTS: Record<string, (cut: Cut) => void> = {
  'took nothing': () => {},
  'took the record’s lines': ({ project }) => withoutLines(project, /"n":2|"confirmed":2/),
  'emptied the packs': ({ packs }) => packs.forEach(emptied),
  'took the packs': ({ packs }) => {
    for (const path of packs) rmSync(path);
  },
  'took the index of the pack only': ({ packs }) => {
    for (const path of packs) if (path.endsWith('.idx')) rmSync(path);
  },
  'left main as it was': ({ project, before }) => project.git('update-ref', MAIN, before),
  'emptied main': ({ project }) => emptied(join(project.gitDir, MAIN)),
  'cut main to nothing': ({ project }) => writeFileSync(join(project.gitDir, MAIN), ''),
  'took the tag': ({ project }) => rmSync(join(project.gitDir, 'refs/tags/t')),
  'left an older main in packed-refs and emptied its own': ({ project, before, sha }) => {
    project.git('update-ref', MAIN, before);
    project.git('pack-refs', '--all');
    writeFileSync(join(project.gitDir, MAIN), Buffer.alloc(sha.length + 1));
  },
  'took all of it': ({ project, packs, before }) => {
    withoutLines(project, /"n":2|"confirmed":2/);
    for (const path of packs) rmSync(path);
    rmSync(join(project.gitDir, 'refs/tags/t'));
    writeFileSync(join(project.gitDir, MAIN), `${before}\n`);
    writeFileSync(join(project.gitDir, 'index'), '');
  },
};

for (const [name, make] of Object.entries(CUTS)) {
  test(`a commit that was acknowledged is there after a power cut that ${name}`, async (t) => {
    const cut = await cutAfterCommit(t);
    const { project, sha } = cut;
    make(cut);
    assert.deepEqual((await project.exclusive(inspect)).problems, []);
    assert.equal(project.git('rev-parse', 'HEAD'), sha);
    assert.equal(project.git('rev-parse', 't^{commit}'), sha);
    assert.equal(project.git('fsck', '--strict'), '');
    assert.equal(project.git('show', 'HEAD:a'), 'content of a');
    assert.equal(project.git('status', '--porcelain'), '');
    project.reopen();
    assert.equal(await project.read(async ({ refs }) => refs.get(MAIN)), sha);
    project.put('b');
    await project.commit();
    assert.equal(project.git('rev-parse', 'HEAD^'), sha);
  });
}

test('a commit that was acknowledged is there though the repository itself is gone, and the mirror was behind', async (t) => {
  const { project, sha } = await cutAfterCommit(t, (one) => one.read(syncMirror));
  withoutLines(project, /"n":2|"confirmed":2/);
  rmSync(project.gitDir, { recursive: true });
  project.reopen();
  assert.deepEqual((await project.exclusive(inspect)).problems, []);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
  assert.equal(project.git('fsck', '--strict'), '');
});

test('whoever reads first has it redone', async (t) => {
  const cut = await cutAfterCommit(t);
  CUTS['took all of it']?.(cut);
  assert.equal(await cut.project.read(async ({ refs }) => refs.get(MAIN)), cut.sha);
  assert.equal(cut.project.git('rev-parse', 'HEAD'), cut.sha);
});

test('a note that outlived its work changes nothing, whatever was moved since', async (t) => {
  const cut = await cutAfterCommit(t);
  const { project } = cut;
  const note = join(project.dataDir, '.devloop/ahead/0.bin');
  const noted = readFileSync(note);
  await project.exclusive(inspect);
  project.put('b');
  const { sha } = await project.commit();
  writeFileSync(note, noted);
  project.reopen();
  assert.deepEqual((await project.exclusive(inspect)).problems, []);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
  assert.equal(readFileSync(note).subarray(0, 8).toString('hex'), '0'.repeat(16));
});

test('what a person committed on top of it before anybody redid it stays', async (t) => {
  const { project, sha } = await cutAfterCommit(t);
  project.put('by hand');
  project.git('add', '-A');
  project.git('commit', '-q', '-m', 'by hand');
  const theirs = project.git('rev-parse', 'HEAD');
  assert.deepEqual((await project.exclusive(inspect)).problems, []);
  assert.equal(project.git('rev-parse', 'HEAD'), theirs);
  assert.equal(project.git('rev-parse', 'HEAD^'), sha);
});

test('a lock that the cut left does not stand in the way', async (t) => {
  const cut = await cutAfterCommit(t);
  CUTS['took all of it']?.(cut);
  writeFileSync(join(cut.project.gitDir, `${MAIN}.lock`), '');
  assert.deepEqual((await cut.project.exclusive(inspect)).problems, []);
  assert.equal(readRef(cut.project.gitDir, MAIN), cut.sha);
});

test('a note is not redone in a project that was brought back from an earlier backup', async (t) => {
  for (const between of [0, 1]) {
    const backup = join(scratchFolder(t), 'backup');
    const { project } = await cutAfterCommit(t, async (one) => {
      one.reopen();
      for (const name of ['root', 'state'] as const) cpSync(one[name], join(backup, name), { recursive: true });
      for (let i = 0; i <= between; i++) {
        one.put(`between ${i}`);
        await one.commit();
      }
    });
    for (const name of ['root', 'state'] as const) {
      rmSync(project[name], { recursive: true });
      cpSync(join(backup, name), project[name], { recursive: true });
    }
    const head = project.git('rev-parse', 'HEAD');
    project.reopen();
    assert.deepEqual((await project.exclusive(inspect)).problems, []);
    assert.equal(project.git('rev-parse', 'HEAD'), head);
    project.put('c');
    await project.commit();
    assert.equal(project.git('rev-parse', 'HEAD^'), head);
    assert.equal(project.git('fsck', '--strict'), '');
  }
});

test('a note is not redone where the project went on otherwise from an earlier backup', async (t) => {
  const backup = join(scratchFolder(t), 'backup');
  const { project } = await cutAfterCommit(t, async (one) => {
    one.reopen();
    for (const name of ['root', 'state'] as const) cpSync(one[name], join(backup, name), { recursive: true });
  });
  const note = join(project.dataDir, '.devloop/ahead/0.bin');
  const noted = readFileSync(note);
  for (const name of ['root', 'state'] as const) {
    rmSync(project[name], { recursive: true });
    cpSync(join(backup, name), project[name], { recursive: true });
  }
  writeFileSync(note, '');
  project.reopen();
  project.put('otherwise');
  const { sha } = await project.commit();
  writeFileSync(note, noted);
  project.reopen();
  assert.deepEqual((await project.exclusive(inspect)).problems, []);
  assert.equal(project.git('rev-parse', 'HEAD'), sha);
});

test('a note of a project that was deleted is forgotten', async (t) => {
  const { project } = await cutAfterCommit(t);
  rmSync(project.state, { recursive: true });
  assert.equal(vaultNotes(project.dataDir).of(`${project.cid}/${project.pid}`).left, undefined);
});

test('a move whose names the disk did not take is redone before the next one', async (t) => {
  const project = await projectVault(t);
  project.reopen();
  const notes = vaultNotes(project.dataDir);
  const vaults = new VaultSet({ locate: async () => project, settings, ahead: notes });
  t.after(() => vaults.close());
  project.put('a');
  await vaults.write(PROJECT, (vault) => commit(vault, commitSpec()));
  const folder = join(project.gitDir, 'objects/pack');
  renameSync(folder, `${folder}.aside`);
  await vaults.settled();
  renameSync(`${folder}.aside`, folder);
  const own = notes.of(`${project.cid}/${project.pid}`);
  assert.notEqual(own.left, undefined);
  project.put('b');
  await vaults.write(PROJECT, (vault) => commit(vault, commitSpec()));
  await vaults.settled();
  assert.equal(own.left, undefined);
  assert.equal(project.git('rev-list', '--count', 'HEAD'), '3');
  assert.equal(project.git('fsck', '--strict'), '');
});

test('a commit that failed does not come to pass later, though the folder of notes could not be found just then', async (t) => {
  const cut = await projectVault(t);
  cut.put('first');
  await cut.commit();
  const before = cut.git('rev-parse', 'HEAD');
  cut.put('a');
  const folder = join(cut.dataDir, '.devloop/ahead');
  await assert.rejects(
    cut.write(async (vault) => {
      const objects = { ...noObjects, writeFiles: failing(() => renameSync(folder, `${folder}.aside`)) };
      const updates = [{ ref: 'refs/devloop/rescue/x', old: ZERO_OID, new: parseOid(before) }];
      return moveRefs(vault, { updates, objects });
    }),
  );
  renameSync(`${folder}.aside`, folder);
  cut.reopen();
  assert.deepEqual((await cut.inspect()).problems, []);
  assert.equal(cut.git('for-each-ref', 'refs/devloop'), '');
});

test('a commit that cannot be given its name is refused for good', async (t) => {
  const cut = await projectVault(t);
  const before = cut.git('rev-parse', 'HEAD');
  cut.put('a');
  // Nothing can be put in place of a folder that is not empty.
  const inTheWay = join(cut.gitDir, 'refs/tags/t/x');
  const spec = commitSpec({ tag: { name: 't', message: 'm' } });
  await assert.rejects(
    cut.write(async (vault) => {
      const made = commit(vault, spec);
      mkdirSync(inTheWay, { recursive: true });
      return made;
    }),
  );
  rmSync(join(cut.gitDir, 'refs/tags/t'), { recursive: true });
  cut.reopen();
  assert.deepEqual((await cut.inspect()).problems, []);
  assert.equal(cut.git('rev-parse', 'HEAD'), before);
  await cut.commit({ tag: { name: 't', message: 'm' } });
  assert.equal(cut.git('rev-parse', 't^{commit}'), cut.git('rev-parse', 'HEAD'));
});
