import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import type { BucketCredentials } from '../../server/workspace/objects/bucket-client.ts';
import type { BucketAccess } from '../../server/workspace/objects/open-objects.ts';
import { tempFolder } from './temp-folder.ts';

export interface SwiftServer extends AsyncDisposable {
  readonly access: BucketAccess & { readonly url: string; readonly credentials: BucketCredentials };
  /** A signed request of one's own, to a key of the bucket or to the bucket itself. */
  readonly ask: (method: string, key: string, body?: Buffer) => Promise<Response>;
}

const KEY = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };

/** OpenStack Swift from the system's packages, with its S3 face, on loopback ports and in a folder of its own. */
export async function swiftServer(): Promise<SwiftServer> {
  const folder = tempFolder();
  const [proxy = 0, cache = 0, ...ports] = await freePorts(5);
  writeConfig(folder.path, { proxy, cache, ports });
  const user = userInfo().username;
  const programs: readonly (readonly [string, ...string[]])[] = [
    ['memcached', '-u', user, '-l', '127.0.0.1', '-p', String(cache)],
    ...KINDS.map((kind) => [`swift-${kind}-server`, join(folder.path, `${kind}.conf`)] as const),
    ['swift-proxy-server', join(folder.path, 'proxy.conf')],
  ];
  const children = programs.map(([program, ...args]) => spawn(program, args, { stdio: 'ignore' }));
  const ended = Promise.race(
    children.map((child) => new Promise((_, reject) => child.once('error', reject).once('exit', reject))),
  );
  const url = `http://127.0.0.1:${proxy}/bucket`;
  const client = new AwsClient({ ...KEY, region: 'here', service: 's3', retries: 0 });
  const ask: SwiftServer['ask'] = (method, key, body) =>
    client.fetch(key === '' ? url : `${url}/${key}`, {
      method,
      headers: {
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
  const close = async () => {
    const gone = children.map((child) => new Promise((resolve) => child.once('close', resolve)));
    ended.catch(() => undefined);
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(gone);
    folder.remove();
  };
  try {
    await Promise.race([ended, untilMade(() => ask('PUT', ''))]);
  } catch (error) {
    await close();
    throw error;
  }
  return { access: { url, region: 'here', credentials: KEY }, ask, [Symbol.asyncDispose]: close };
}

const KINDS = ['account', 'container', 'object'] as const;

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await new Promise((resolve) => server.once('listening', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** The rings, of one device each, and the settings. s3api comes before tempauth, which it asks. */
function writeConfig(
  folder: string,
  { proxy, cache, ports }: { readonly proxy: number; readonly cache: number; readonly ports: readonly number[] },
): void {
  mkdirSync(join(folder, 'devices/one'), { recursive: true });
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 0\nuser = ${userInfo().username}\nswift_dir = ${folder}\n`;
  for (const [i, kind] of KINDS.entries()) {
    const ring = (...args: readonly string[]) =>
      execFileSync('swift-ring-builder', [`${kind}.builder`, ...args], { cwd: folder });
    ring('create', '4', '1', '1');
    ring('add', `r1z1-127.0.0.1:${ports[i]}/one`, '1');
    ring('rebalance');
    const parts = `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`;
    const settings = `devices = ${join(folder, 'devices')}\nmount_check = false\n`;
    writeFileSync(join(folder, `${kind}.conf`), `${common(ports[i] ?? 0)}${settings}${parts}`);
  }
  writeFileSync(
    join(folder, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n[storage-policy:0]\nname = only\ndefault = yes\n',
  );
  const set: Readonly<Record<string, string>> = {
    catch_errors: '',
    cache: `memcache_servers = 127.0.0.1:${cache}\n`,
    listing_formats: '',
    s3api: 'location = here\n',
    tempauth: 'user_test_tester = testing .admin\n',
    slo: '',
  };
  const sections = Object.entries(set).map(
    ([name, text]) => `[filter:${name}]\nuse = egg:swift#${name === 'cache' ? 'memcache' : name}\n${text}`,
  );
  const app = '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\n';
  const pipeline = `[pipeline:main]\npipeline = ${Object.keys(set).join(' ')} proxy-server\n`;
  writeFileSync(join(folder, 'proxy.conf'), `${common(proxy)}${pipeline}${app}${sections.join('')}`);
}

/** The servers take a while to come up, and there is nothing to wait for but their answer. */
async function untilMade(make: () => Promise<Response>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const status = await make().then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (attempt > 900) throw new Error(`Swift does not come up: ${status}`);
    await delay(200);
  }
}
