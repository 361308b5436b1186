import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bucketServer } from '../support/bucket-server.ts';
import { cliUnderTest, type Ran } from '../support/cli-under-test.ts';

const SECRET = 'nobody-may-see-this';

describe('a folder whose large files go to a bucket', () => {
  async function inFolder(
    use: (place: {
      readonly run: (...argv: readonly string[]) => Promise<Ran>;
      readonly server: Awaited<ReturnType<typeof bucketServer>>;
      readonly folder: string;
    }) => Promise<void>,
  ): Promise<void> {
    await using server = await bucketServer();
    await using cli = await cliUnderTest();
    const folder = join(cli.cwd, 'work');
    mkdirSync(folder);
    const env = {
      HOME: join(cli.cwd, 'home'),
      PATH: process.env.PATH ?? '',
      DEVLOOP_STATE_DIR: join(cli.cwd, 'state'),
      DEVLOOP_SNAPSHOT_LARGE_FILE_BYTES: '1000',
      DEVLOOP_BUCKET_URL: server.url,
      DEVLOOP_BUCKET_ACCESS_KEY_ID: 'key-id',
      DEVLOOP_BUCKET_SECRET_ACCESS_KEY: SECRET,
    };
    await use({ server, folder, run: (...argv) => cli.run(argv, { cwd: folder, env }) });
  }

  it('says where they are, moves them there and back, and restores from there', () =>
    inFolder(async ({ run, server, folder }) => {
      writeFileSync(join(folder, 'big'), 'x'.repeat(2000));
      assert.equal((await run('snap')).status, 0);
      assert.match((await run('protect', 'objects')).out, /in the folder\nneeded +1 objects +2000 bytes/);
      const moved = await run('protect', 'objects', 'bucket', '--json');
      assert.deepEqual(moved.json.moved, {
        objects: { kind: 'bucket', url: server.url },
        copied: 1,
        bytes: 2000,
        verified: 1,
      });
      assert.equal(server.objects.size, 1);
      assert.match((await run('protect', 'objects')).out, new RegExp(`in the bucket ${server.url}\n`));
      rmSync(join(folder, 'big'));
      const [point] = (await run('snaps', '--json')).json.items;
      assert.equal((await run('restore', point.id, '--yes')).status, 0);
      assert.equal(readFileSync(join(folder, 'big'), 'utf8').length, 2000);
      assert.match((await run('protect', 'objects', 'folder')).out, /in the folder; 1 were copied, 1 read back/);
      assert.equal(server.objects.size, 0);
      assert.equal((await run('protect', 'objects', 'cellar')).status, 2);
    }));

  it('a bucket that fails is an answer to try again, and no secret is shown by anything', () =>
    inFolder(async ({ run, server, folder }) => {
      writeFileSync(join(folder, 'big'), 'x'.repeat(2000));
      await run('snap');
      server.fault = () => 'error';
      const failed = await run('protect', 'objects', 'bucket');
      assert.equal(failed.status, 75);
      assert.match(failed.err, /failed several times: it answered 500/);
      const shown = await run('config', 'show', '--origin', '--json');
      const file = readFileSync(join(folder, '../state/workspaces', ...(await storeOf(run)), 'workspace.json'), 'utf8');
      for (const text of [failed.err, failed.out, shown.out, file]) assert.ok(!text.includes(SECRET));
      assert.match(shown.out, /bucket_secret_access_key/);
    }));

  it('a program that runs in a turn is not given the credentials, and the rest of the environment is', () =>
    inFolder(async ({ run, folder }) => {
      assert.equal((await run('turn', '--', 'sh', '-c', 'env > seen')).status, 0);
      const seen = readFileSync(join(folder, 'seen'), 'utf8');
      assert.ok(!seen.includes(SECRET) && !seen.includes('key-id'));
      assert.match(seen, /DEVLOOP_BUCKET_URL/);
    }));
});

async function storeOf(run: (...argv: readonly string[]) => Promise<Ran>): Promise<readonly string[]> {
  return (await run('protect', 'status', '--json')).json.status.id.split('-');
}
