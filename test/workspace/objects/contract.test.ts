import { readFileSync, writeFileSync } from 'node:fs';
import { BucketObjects } from '../../../server/workspace/objects/bucket-objects.ts';
import { FolderObjects } from '../../../server/workspace/objects/folder-objects.ts';
import { largeObjectsContract } from '../../contracts/large-objects.ts';
import { bucketServer } from '../../support/bucket-server.ts';
import { tempFolder } from '../../support/temp-folder.ts';

largeObjectsContract('a folder', async () => {
  const folder = tempFolder();
  const objects = new FolderObjects(`${folder.path}/objects`);
  return {
    objects,
    damage: async (sha256, change) =>
      writeFileSync(objects.pathOf(sha256), change(readFileSync(objects.pathOf(sha256)))),
    [Symbol.asyncDispose]: async () => folder.remove(),
  };
});

largeObjectsContract('a bucket', async () => {
  const server = await bucketServer();
  const store = '0'.repeat(32);
  const objects = new BucketObjects({
    url: server.url,
    region: 'here',
    store,
    credentials: { accessKeyId: 'key-id', secretAccessKey: 'secret' },
    part_bytes: 1000,
    retries_ms: [1, 1],
  });
  return {
    objects,
    damage: async (sha256, change) => {
      const key = `devloop/${store}/${sha256}`;
      const bytes = change(server.objects.get(key)?.bytes ?? Buffer.alloc(0));
      server.objects.set(key, { bytes, at: 0 });
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
});
