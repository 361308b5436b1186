import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import test, { type TestContext } from 'node:test';
import { DevLoopError, isDevLoopError } from '../../server/domain/errors.ts';
import { type ProjectId, parseProjectId } from '../../server/domain/ids.ts';
import { commit } from '../../server/vault/commit.ts';
import { init } from '../../server/vault/init.ts';
import { placeOf } from '../../server/vault/project-scan.ts';
import { VaultSet } from '../../server/vault/vault-set.ts';
import { COMPANY } from '../support/project-folders.ts';
import { commitSpec } from '../support/project-vault.ts';
import { rawGit } from '../support/raw-git.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

function vaultSet(t: TestContext, count: number) {
  const dataDir = scratchFolder(t);
  const pids = Array.from({ length: count }, (_, i) => parseProjectId(`p-${i}`));
  for (const pid of pids) {
    mkdirSync(placeOf(dataDir, COMPANY, pid).root, { recursive: true });
    writeFileSync(join(placeOf(dataDir, COMPANY, pid).root, 'file'), pid);
  }
  const places = new Map(pids.map((pid) => [pid, placeOf(dataDir, COMPANY, pid)]));
  const vaults = new VaultSet({
    locate: async (pid) => {
      const place = places.get(pid);
      if (place === undefined) throw new DevLoopError('project_not_found', `there is no project ${pid}`);
      return place;
    },
    settings: { max_file_bytes: 1_000_000, now: () => new Date('2026-01-02T03:04:05Z') },
  });
  t.after(() => vaults.close());
  return { vaults, pids, places, start: (pid: ProjectId) => vaults.write(pid, (vault) => init(vault, commitSpec())) };
}

const first = (pids: readonly ProjectId[]): ProjectId => pids[0] ?? parseProjectId('none');

test('a vault is opened once, and again after it was dropped', async (t) => {
  const { vaults, pids } = vaultSet(t, 1);
  const one = await vaults.read(first(pids), (vault) => vault);
  assert.equal(await vaults.read(first(pids), (vault) => vault), one);
  vaults.drop(first(pids));
  assert.notEqual(await vaults.read(first(pids), (vault) => vault), one);
});

test('of many vaults those used last stay open, and those in use', async (t) => {
  const { vaults, pids } = vaultSet(t, 70);
  const kept = vaults.read(first(pids), async (vault) => {
    for (const pid of pids.slice(1)) await vaults.read(pid, () => undefined);
    return vault;
  });
  const opened = await kept;
  assert.equal(await vaults.read(first(pids), (vault) => vault), opened);
  const second = await vaults.read(pids[69] ?? first(pids), (vault) => vault);
  assert.equal(await vaults.read(pids[69] ?? first(pids), (vault) => vault), second);
});

test('writers of one project come one after the other, of two projects side by side', async (t) => {
  const { vaults, pids } = vaultSet(t, 2);
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const hold = (pid: ProjectId, name: string, wait: Promise<void>) =>
    vaults.write(pid, async () => {
      events.push(`${name} begins`);
      await wait;
      events.push(`${name} ends`);
    });
  const done = Promise.resolve();
  const all = [hold(first(pids), 'one', gate.promise), hold(first(pids), 'two', done)];
  await hold(pids[1] ?? first(pids), 'other', done);
  await vaults.read(first(pids), () => events.push('reader'));
  gate.resolve();
  await Promise.all(all);
  assert.deepEqual(events, [
    'one begins',
    'other begins',
    'other ends',
    'reader',
    'one ends',
    'two begins',
    'two ends',
  ]);
});

test('many projects commit at once, and each is whole', async (t) => {
  const { vaults, pids, places, start } = vaultSet(t, 12);
  await Promise.all(pids.map(start));
  const rounds = pids.flatMap((pid) => [1, 2, 3].map((round) => ({ pid, round })));
  await Promise.all(
    rounds.map(({ pid, round }) =>
      vaults.write(pid, async (vault) => {
        for (let i = 0; i < 5; i++) writeFileSync(join(vault.root, `file-${i}`), `${round}`);
        return commit(vault, commitSpec({ subject: `round ${round}` }));
      }),
    ),
  );
  for (const { root } of places.values()) {
    const git = rawGit(root);
    assert.equal(git('log', '--format=%s', '-3'), 'round 3\nround 2\nround 1');
    assert.equal(git('fsck', '--strict', '--full'), '');
  }
});

test('a call that fails lets the next one in', async (t) => {
  const { vaults, pids } = vaultSet(t, 1);
  await assert.rejects(
    vaults.write(first(pids), async () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await vaults.write(first(pids), async () => 'in'), 'in');
});

test('a stream holds its vault until it is closed', async (t) => {
  const { vaults, pids } = vaultSet(t, 70);
  const opened = await vaults.read(first(pids), (vault) => vault);
  const stream = await vaults.stream(first(pids), () => Readable.from(['a']));
  for (const pid of pids.slice(1)) await vaults.read(pid, () => undefined);
  assert.equal(await vaults.read(first(pids), (vault) => vault), opened);
  for await (const chunk of stream) assert.equal(chunk, 'a');
  await assert.rejects(
    vaults.stream(first(pids), () => Promise.reject(new Error('no stream'))),
    /no stream/,
  );
});

test('a project that moved is opened at its new place, and an unknown one is told', async (t) => {
  const { vaults, pids, places, start } = vaultSet(t, 1);
  const pid = first(pids);
  await start(pid);
  const place = places.get(pid);
  assert.ok(place);
  const root = `${place.root}-moved`;
  renameSync(place.root, root);
  places.set(pid, { ...place, root });
  assert.equal(await vaults.read(pid, (vault) => vault.root), root);
  rmSync(root, { recursive: true });
  await assert.rejects(
    vaults.read(parseProjectId('p-unknown'), () => undefined),
    (error) => isDevLoopError(error, 'project_not_found'),
  );
});
