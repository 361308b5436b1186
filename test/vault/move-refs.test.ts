import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseOid, ZERO_OID } from '../../server/domain/ids.ts';
import { readRef } from '../../server/git/refs.ts';
import { init } from '../../server/vault/init.ts';
import { inspect } from '../../server/vault/inspect.ts';
import { type Move, moveRefs } from '../../server/vault/move-refs.ts';
import { settleRefs } from '../../server/vault/settle-refs.ts';
import { forgetEnd } from '../support/forget-end.ts';
import { commitSpec, projectVault } from '../support/project-vault.ts';

const TAG = 'refs/tags/t';

test('refs move together and are on record, also after a restart', async (t) => {
  const project = await projectVault(t);
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  const other = parseOid(project.git('commit-tree', '-m', 'x', '-p', head, 'HEAD^{tree}'));
  await project.write((vault) =>
    moveRefs(vault, {
      updates: [
        { ref: 'refs/heads/main', old: head, new: other },
        { ref: TAG, old: ZERO_OID, new: head },
      ],
    }),
  );
  project.reopen();
  const refs = await project.write(async (vault) => [...vault.refs.all()]);
  assert.deepEqual(refs, [
    ['refs/heads/main', other],
    [TAG, head],
  ]);
  await project.write((vault) => moveRefs(vault, { updates: [{ ref: TAG, old: head, new: ZERO_OID }] }));
  project.reopen();
  assert.equal(await project.write(async (vault) => vault.refs.get(TAG)), undefined);
  assert.equal(readRef(project.gitDir, TAG), undefined);
});

test('a move that is refused is not on record, and the next one is free', async (t) => {
  const project = await projectVault(t);
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  const wrong = { updates: [{ ref: 'refs/heads/main', old: ZERO_OID, new: head }] };
  await assert.rejects(
    project.write((vault) => moveRefs(vault, wrong)),
    (error) => isDevLoopError(error, 'ref_moved'),
  );
  assert.doesNotMatch(readFileSync(join(project.state, 'refs.ndjson'), 'utf8'), /"n":2/);
  project.reopen();
  assert.equal(await project.write(async (vault) => vault.refs.get('refs/heads/main')), head);
  await project.write((vault) => moveRefs(vault, { updates: [{ ref: TAG, old: ZERO_OID, new: head }] }));
  assert.equal(readRef(project.gitDir, TAG), head);
});

test('a person’s git that holds a lock delays a move, and a stale lock ends it in time', async (t) => {
  const project = await projectVault(t);
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  const lock = join(project.gitDir, `${TAG}.lock`);
  writeFileSync(lock, '');
  const move = { updates: [{ ref: TAG, old: ZERO_OID, new: head }] };
  await assert.rejects(
    project.write((vault) => moveRefs(vault, move)),
    (error) => isDevLoopError(error, 'vault_busy'),
  );
  rmSync(lock);
  await project.write((vault) => moveRefs(vault, move));
  assert.equal(readRef(project.gitDir, TAG), head);
});

test('a ref that was to go when the server was killed stays, though the mirror never had it', async (t) => {
  const project = await projectVault(t);
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  await project.write((vault) => moveRefs(vault, { updates: [{ ref: TAG, old: ZERO_OID, new: head }] }));
  await project.write((vault) => moveRefs(vault, { updates: [{ ref: TAG, old: head, new: ZERO_OID }] }));
  project.reopen();
  forgetEnd(project.state);
  project.git('update-ref', TAG, head);
  assert.equal(await project.write(async (vault) => vault.refs.get(TAG)), head);
  assert.deepEqual((await project.inspect()).problems, []);
});

test('a commit that nobody was told of goes with its objects, as a power cut takes them, and its files stay', async (t) => {
  const project = await projectVault(t);
  const before = project.git('rev-parse', 'HEAD');
  const packs = join(project.gitDir, 'objects/pack');
  const old = new Set(readdirSync(packs));
  project.put('a');
  await project.commit();
  project.reopen();
  forgetEnd(project.state);
  for (const name of readdirSync(packs)) if (!old.has(name)) rmSync(join(packs, name));
  project.reopen();
  assert.deepEqual((await project.exclusive(inspect)).problems, []);
  assert.equal(project.git('rev-parse', 'HEAD'), before);
  assert.equal(project.git('status', '--porcelain'), '?? a');
  await project.commit();
  assert.equal(project.git('fsck', '--strict'), '');
});

test('a commit that was told of and has lost its objects is a problem, and main stays', async (t) => {
  const project = await projectVault(t);
  const packs = join(project.gitDir, 'objects/pack');
  const old = new Set(readdirSync(packs));
  project.put('a');
  const { sha } = await project.commit();
  assert.match(readFileSync(join(project.state, 'refs.ndjson'), 'utf8'), /"confirmed":\d+[^\n]*\n$/);
  for (const name of readdirSync(packs)) if (!old.has(name)) rmSync(join(packs, name));
  project.reopen();
  await assert.rejects(project.exclusive(inspect), (error) => isDevLoopError(error, 'vault_damaged'));
  assert.equal(readRef(project.gitDir, 'refs/heads/main'), sha);
});

/** Objects on their way, where a test says what becomes of them. */
function objectsThat(change: Partial<Objects>): Objects {
  const nothing = async (): Promise<void> => {};
  return { complete: async () => undefined, writeFiles: () => {}, close: nothing, publish: () => nothing, ...change };
}

type Objects = Exclude<Move['objects'], undefined>;

test('a move whose objects the disk did not take for good is told as failed once the refs have ended, and is on record', async (t) => {
  const project = await projectVault(t);
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  const objects = objectsThat({ publish: () => () => Promise.reject(new Error('no sync')) });
  const move = { updates: [{ ref: TAG, old: ZERO_OID, new: head }], objects };
  await assert.rejects(
    project.write((vault) => moveRefs(vault, move)),
    /no sync/,
  );
  assert.equal(readRef(project.gitDir, TAG), head);
  assert.equal(await project.write(async (vault) => vault.refs.get(TAG)), head);
});

test('what follows the refs stays where it is when one cannot move', async (t) => {
  const project = await projectVault(t);
  const head = parseOid(project.git('rev-parse', 'HEAD'));
  const objects = objectsThat({
    close: async () => {
      mkdirSync(join(project.gitDir, TAG, 'in the way'), { recursive: true });
    },
  });
  const publish = t.mock.fn(async () => {});
  const move = {
    updates: [{ ref: TAG, old: ZERO_OID, new: head }],
    objects,
    companion: { prepare: async () => {}, publish, drop: () => {} },
  };
  await assert.rejects(
    project.exclusive((vault) => moveRefs(vault, move)),
    { code: 'vault_damaged' },
  );
  assert.equal(publish.mock.callCount(), 0);
});

test('a person’s refs that were taken over stay, though the server was killed and one of them has lost its objects', async (t) => {
  const project = await projectVault(t);
  project.git('tag', 'v1');
  const lost = project.git('commit-tree', '-m', 'x', 'HEAD^{tree}');
  project.git('update-ref', 'refs/heads/gone', lost);
  const record = join(project.state, 'refs.ndjson');
  const isToldAtOnce = (): boolean => /"confirmed":1[^\n]*\n$/.test(readFileSync(record, 'utf8'));
  project.reopen();
  rmSync(record);
  await project.exclusive(inspect);
  assert.ok(isToldAtOnce());
  project.reopen();
  forgetEnd(project.state);
  project.git('update-ref', '-d', 'refs/heads/gone');
  rmSync(join(project.gitDir, 'objects', lost.slice(0, 2), lost.slice(2)));
  const before = project.git('for-each-ref');
  await project.exclusive(inspect);
  assert.equal(project.git('for-each-ref'), before);
  assert.equal(await project.write(async (vault) => vault.refs.get('refs/heads/gone')), undefined);
});

test('a first commit that a power cut took is made anew', async (t) => {
  const project = await projectVault(t, { bare: true });
  const first = commitSpec({ key: 'first' });
  await project.exclusive((vault) => init(vault, first));
  project.reopen();
  forgetEnd(project.state);
  for (const name of readdirSync(join(project.gitDir, 'objects/pack')))
    rmSync(join(project.gitDir, 'objects/pack', name));
  project.reopen();
  await project.exclusive(settleRefs);
  const { head } = await project.exclusive((vault) => init(vault, first));
  assert.equal(project.git('rev-parse', 'main'), head);
});
