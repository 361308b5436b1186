import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parsePointId } from '../../server/domain/point.ts';
import { openWorkspaces, type WorkspaceOptions } from '../../server/workspace/index.ts';
import { type BucketServer, bucketServer, SERVER_NOW } from '../support/bucket-server.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

interface BucketLab extends WorkspaceLab {
  readonly server: BucketServer;
  readonly store: string;
  /** Content of the bucket's objects, by the folder's end and the first letter. */
  readonly kept: () => readonly string[];
}

const options = (server: BucketServer): Partial<WorkspaceOptions> => ({
  bucket: {
    url: server.url,
    region: 'here',
    credentials: { accessKeyId: 'key-id', secretAccessKey: 'secret' },
    part_bytes: 50_000,
    retries_ms: [1],
  },
});

async function inBucketLab(
  use: (lab: BucketLab) => Promise<void>,
  changed: Partial<WorkspaceOptions> = { objects: 'bucket' },
): Promise<void> {
  await using server = await bucketServer();
  await inWorkspace(
    async (lab) => {
      const store = lab.workspaces.list()[0]?.store ?? '';
      const kept = () => [...server.objects.values()].map(({ bytes }) => `${bytes.length} ${bytes[0]}`).sort();
      await use({ ...lab, server, store, kept });
    },
    { ...options(server), ...changed },
  );
}

const big = (letter: string, size = 120_000): string => letter.repeat(size);
const spooled = (store: string): readonly string[] =>
  (readdirSync(join(store, 'objects'), { recursive: true, withFileTypes: true }) ?? [])
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

test('a workspace in a bucket keeps its large files there and nowhere else, and gives them back', async () => {
  await inBucketLab(async ({ workspace, put, restore, files, root, store, kept, server }) => {
    put('small', 'x');
    put('big', big('a'));
    put('copy', big('a'));
    const point = await workspace.takePoint({ reason: '1' });
    assert.deepEqual([kept(), spooled(store)], [['120000 97'], []]);
    const before = files();
    const asked = server.calls.length;
    assert.equal((await workspace.takePoint({ reason: 'nothing changed' })).noop, true);
    assert.deepEqual(
      server.calls.slice(asked).map(({ method }) => method),
      ['HEAD'],
      'an unchanged file costs one question',
    );
    for (const name of ['big', 'copy']) rmSync(join(root, name));
    await restore({ point: point.id });
    assert.deepEqual(files(), before);
    assert.deepEqual(await workspace.verify(), { points: 3, problems: [] });
  });
});

test('where the bucket fails there is no point, and when it works again the next one is whole', async () => {
  await inBucketLab(async ({ workspace, put, server, kept }) => {
    put('big', big('a'));
    for (const fault of ['error', 'close', 'close_after', 'lose'] as const) {
      server.fault = ({ method }) => (method === 'HEAD' && fault !== 'lose' ? undefined : fault);
      await assert.rejects(workspace.takePoint({ reason: fault }), { name: 'DevLoopError' });
      assert.deepEqual(await workspace.points(), []);
    }
    server.fault = () => undefined;
    await workspace.takePoint({ reason: 'again' });
    assert.deepEqual([kept(), (await workspace.verify()).problems], [['120000 97'], []]);
  });
});

test('what the bucket lost is taken again by the next point while the folder has it', async () => {
  await inBucketLab(async ({ workspace, put, server, kept }) => {
    put('big', big('a'));
    await workspace.takePoint({ reason: '1' });
    server.objects.clear();
    const { problems } = await workspace.verify();
    assert.equal(problems.length, 1);
    await workspace.takePoint({ reason: '2' });
    assert.deepEqual([kept(), (await workspace.verify()).problems], [['120000 97'], []]);
  });
});

test('verify finds what was lost or damaged, and names the points and the path', async () => {
  await inBucketLab(async ({ workspace, put, server }) => {
    for (const name of ['lost', 'wrong', 'short']) put(name, big(name[0] ?? ''));
    const first = await workspace.takePoint({ reason: '1' });
    put('other', big('o'));
    const second = await workspace.takePoint({ reason: '2' });
    for (const [key, { bytes, at }] of server.objects) {
      if (bytes[0] === 108) server.objects.delete(key);
      if (bytes[0] === 119) server.objects.set(key, { bytes: Buffer.from(big('W')), at });
      if (bytes[0] === 115) server.objects.set(key, { bytes: bytes.subarray(1), at });
    }
    const { problems } = await workspace.verify();
    const told = problems.map((line) => line.replace(/[0-9a-f]{64}/, 'X')).sort();
    const needed = `and is needed by ${first.id} ${second.id}`;
    assert.deepEqual(told, [
      `large file X (lost) is missing, ${needed}`,
      `large file X (short) has another size, ${needed}`,
      `large file X (wrong) has another content, ${needed}`,
    ]);
    await assert.rejects(workspace.restoreInto(parsePointId(first.id), join(workspace.root, '../new')), {
      code: 'store_damaged',
    });
  });
});

test('garbage in the bucket is told, and removed when it is a day old; what a purge drops is removed at once', async () => {
  await inBucketLab(async ({ workspace, put, server, store, kept }) => {
    put('big', big('a'));
    put('leak', big('s'));
    await workspace.takePoint({ reason: '1' });
    const { objects } = JSON.parse(readFileSync(join(store, 'workspace.json'), 'utf8'));
    const stray = (letter: string, hours: number, folder: string = objects.store) =>
      server.objects.set(`devloop/${folder}/${letter.repeat(64)}`, {
        bytes: Buffer.from(letter),
        at: SERVER_NOW - hours * 3_600_000,
      });
    stray('b', 25);
    stray('c', 23);
    stray('d', 99, 'f'.repeat(32));
    assert.deepEqual(await workspace.objects(), {
      kind: 'bucket',
      url: server.url,
      needed: { objects: 2, bytes: 240_000 },
      garbage: { objects: 2, bytes: 2 },
      missing: 0,
      elsewhere: [],
    });
    const { bucket } = await workspace.prune();
    assert.deepEqual(bucket, { removed: 1, bytes: 1, waiting: 1 });
    assert.deepEqual(kept(), ['1 100', '1 99', '120000 115', '120000 97'], 'nothing of another workspace');
    await workspace.purge(bytePathFromText('leak'));
    assert.deepEqual(kept(), ['1 100', '1 99', '120000 97']);
  });
});

test('a move to the bucket and back keeps every point whole, and leaves nothing behind', async () => {
  await inBucketLab(
    async ({ workspace, put, restore, files, root, store, kept, server }) => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) put(name, big(name));
      const point = await workspace.takePoint({ reason: '1' });
      const before = files();
      assert.deepEqual(await workspace.moveObjects('bucket'), {
        objects: { kind: 'bucket', url: server.url },
        copied: 5,
        bytes: 600_000,
        verified: 5,
      });
      assert.deepEqual([kept().length, spooled(store)], [5, []]);
      put('f', big('f'));
      await workspace.takePoint({ reason: 'by the one that was open' });
      assert.deepEqual([kept().length, (await workspace.verify()).problems], [6, []]);
      for (const name of ['a', 'f']) rmSync(join(root, name));
      await restore({ point: point.id });
      assert.deepEqual(files(), before);
      assert.deepEqual((await workspace.moveObjects('bucket')).copied, 0, 'it is there already');
      const back = await workspace.moveObjects('folder');
      assert.deepEqual([back.objects, back.copied, back.verified], [{ kind: 'folder' }, 6, 6]);
      assert.deepEqual([kept(), spooled(store).length, (await workspace.verify()).problems], [[], 6, []]);
      assert.deepEqual(
        Object.keys(JSON.parse(readFileSync(join(store, 'workspace.json'), 'utf8'))).includes('elsewhere'),
        false,
      );
    },
    { objects: 'folder' },
  );
});

test('a move that fails at any request is gone on with, and the points are whole at every moment', async () => {
  for (let step = 1; step < 36; step += 5) {
    await inBucketLab(
      async ({ workspace, put, server, kept, store }) => {
        for (const name of ['a', 'b', 'c']) put(name, big(name));
        await workspace.takePoint({ reason: '1' });
        server.fault = ({ n }) => (n >= step ? 'close' : undefined);
        const first = await workspace.moveObjects('bucket').catch(() => undefined);
        server.fault = () => undefined;
        assert.deepEqual((await workspace.verify()).problems, [], `after request ${step}`);
        const again = await workspace.moveObjects('bucket');
        assert.ok(again.copied <= 3);
        assert.deepEqual([kept().length, spooled(store)], [3, []], 'one part of the bucket is used');
        assert.deepEqual((await workspace.verify()).problems, []);
        if (first !== undefined) assert.equal(again.copied, 0);
      },
      { objects: 'folder' },
    );
  }
});

test('a move refuses what is not whole, and goes on using what there is', async () => {
  await inBucketLab(
    async ({ workspace, put, store, kept }) => {
      for (const name of ['a', 'b']) put(name, big(name));
      await workspace.takePoint({ reason: '1' });
      const [name = ''] = spooled(store);
      writeFileSync(join(store, 'objects', name.slice(0, 2), name), big('X'));
      await assert.rejects(workspace.moveObjects('bucket'), { code: 'store_damaged' });
      assert.equal((await workspace.objects()).kind, 'folder');
      assert.deepEqual(spooled(store).length, 2);
      assert.ok(kept().length <= 1);
      assert.deepEqual((await workspace.objects()).elsewhere.length, 1);
    },
    { objects: 'folder' },
  );
});

test('a forgotten history leaves nothing in the bucket; what is kept there cannot be forgotten without it', async () => {
  await inBucketLab(async ({ workspace, workspaces, put, server, store }) => {
    put('big', big('a'));
    await workspace.takePoint({ reason: '1' });
    server.fault = () => 'close';
    await assert.rejects(workspaces.remove(workspace.id), { code: 'bucket_unreachable' });
    assert.ok(existsSync(join(store, 'workspace.json')));
    server.fault = () => undefined;
    await workspaces.remove(workspace.id);
    assert.deepEqual([server.objects.size, existsSync(store)], [0, false]);
  });
});

test('without credentials, or a bucket, it is said what is missing; what is in the repository can be restored', async () => {
  await inBucketLab(async ({ workspace, workspaces, options: before, put, root, server }) => {
    put('small', 'x');
    const point = await workspace.takePoint({ reason: '1' });
    put('big', big('a'));
    await workspace.takePoint({ reason: '2' });
    const bare = openWorkspaces({ ...before, bucket: { region: 'here' } });
    const opened = bare.find(workspace.id);
    await assert.rejects(opened.takePoint({ reason: '3' }), { code: 'bucket_refused', message: /no credentials/ });
    rmSync(join(root, 'small'));
    const plan = await opened.planRestore({ point: point.id, only: [{ path: 'small' }] });
    await opened.applyRestore(plan.id, plan.digest).catch((error: Error) => assert.match(error.message, /credentials/));
    await opened.close();
    const none = openWorkspaces({ ...before, bucket: undefined, stateDir: `${before.stateDir}2` });
    assert.throws(() => none.open(root), { code: 'config_invalid' });
    assert.ok(!JSON.stringify(workspaces.list()).includes('secret'));
    assert.ok(!JSON.stringify([...server.calls]).includes('secret'));
    assert.equal(statSync(join(root, 'big')).size, 120_000);
  });
});
