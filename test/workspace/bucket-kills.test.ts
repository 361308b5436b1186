import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWorkspaces, type WorkspaceOptions } from '../../server/workspace/index.ts';
import { type BucketServer, bucketServer } from '../support/bucket-server.ts';
import { inWorkspace, type WorkspaceLab } from '../support/workspace-place.ts';

const ENTRY = join(import.meta.dirname, '../../server/workspace/index.ts');
const WORK = `
const { openWorkspaces } = await import(${JSON.stringify(ENTRY)});
const [options, root, what] = process.argv.slice(1);
const workspace = openWorkspaces({ ...JSON.parse(options), now: () => new Date() }).open(root);
if (what === 'point') await workspace.takePoint({ reason: 'x' });
else await workspace.moveObjects(what);
await workspace.close();`;

const optionsOf = ({ url }: BucketServer): Partial<WorkspaceOptions> => ({
  bucket: {
    url,
    region: 'here',
    credentials: { accessKeyId: 'key-id', secretAccessKey: 'secret' },
    part_bytes: 50_000,
    retries_ms: [],
    grace_ms: 0,
  },
});

/** Does it in a process of its own, which is killed while request `step` waits. @returns false where there were fewer requests */
async function killedAt(
  lab: WorkspaceLab,
  server: BucketServer,
  { step, fault, what }: { step: number; fault: 'hang' | 'hang_after'; what: string },
): Promise<boolean> {
  const node = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', WORK];
  const child = spawn(process.execPath, [...node, JSON.stringify(lab.options), lab.root, what], { stdio: 'inherit' });
  const first = server.calls.length;
  let killed = false;
  server.fault = ({ n }) => {
    if (n !== first + step) return undefined;
    killed = true;
    // Once what the request does is done.
    setImmediate(() => child.kill('SIGKILL'));
    return fault;
  };
  await once(child, 'exit');
  server.fault = () => undefined;
  return killed;
}

const MOVES = [
  { what: 'point', objects: 'bucket', steps: 7, stride: 1 },
  { what: 'bucket', objects: 'folder', steps: 11, stride: 2 },
  { what: 'folder', objects: 'bucket', steps: 6, stride: 2 },
] as const;

for (const { what, objects, steps, stride } of MOVES) {
  for (const fault of ['hang', 'hang_after'] as const) {
    test(`a process killed at any request of a ${what === 'point' ? what : `move to the ${what}`} (${fault}) leaves every point whole`, async () => {
      let kills = 0;
      for (let step = 1; step <= steps; step += stride) {
        await using server = await bucketServer();
        await inWorkspace(
          async (lab) => {
            lab.put('big', 'x'.repeat(120_000));
            if (what !== 'point') await lab.workspace.takePoint({ reason: 'before' });
            if (await killedAt(lab, server, { step, fault, what })) kills++;
            const workspace = openWorkspaces({ ...lab.options, objects }).open(lab.root);
            assert.deepEqual((await workspace.verify()).problems, [], `after request ${step}`);
            await workspace.takePoint({ reason: 'after' });
            const target = what === 'point' ? 'bucket' : what;
            await workspace.moveObjects(target);
            await workspace.prune();
            assert.deepEqual((await workspace.verify()).problems, [], `at the end, after request ${step}`);
            const spooled = readdirSync(join(lab.workspaces.list()[0]?.store ?? '', 'objects'), { recursive: true });
            const kept = spooled.filter((name) => String(name).length > 60).length;
            const expected = target === 'bucket' ? [1, 0, 0] : [0, 0, 1];
            assert.deepEqual([server.objects.size, server.uploads.size, kept], expected, `after request ${step}`);
            await workspace.close();
          },
          { ...optionsOf(server), objects },
        );
      }
      assert.ok(kills >= steps / stride - 1, `${kills} kills`);
    });
  }
}
