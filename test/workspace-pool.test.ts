import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { parseWorkspaceId } from '../server/domain/point.ts';
import type { Workspace } from '../server/workspace/index.ts';
import { WorkspacePool } from '../server/workspace-pool.ts';

const ID = parseWorkspaceId(`${'a'.repeat(16)}-${'b'.repeat(16)}`);
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** A pool over workspaces that only note what becomes of them. */
function lab(close: () => Promise<void> = async () => {}) {
  const events: string[] = [];
  const faults: unknown[] = [];
  let opened = 0;
  const open = () => {
    const name = ++opened;
    events.push(`open ${name}`);
    const closeOne = () => close().then(() => void events.push(`close ${name}`));
    return { close: closeOne } as unknown as Workspace;
  };
  const pool = new WorkspacePool({ open, idle_ms: 1000, onFault: (error) => faults.push(error) });
  return { pool, events, faults };
}

describe('the pool of workspaces', () => {
  it('opens a workspace once for all that use it, and closes it when nobody has for a while', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { pool, events } = lab();
      const both = await Promise.all([pool.use(ID, async (one) => one), pool.use(ID, async (one) => one)]);
      assert.equal(both[0], both[1]);
      mock.timers.tick(900);
      await pool.use(ID, tick);
      mock.timers.tick(900);
      await tick();
      assert.deepEqual([events, pool.size], [['open 1'], 1]);
      mock.timers.tick(200);
      await tick();
      assert.deepEqual([events, pool.size], [['open 1', 'close 1'], 0]);
      await pool.use(ID, tick);
      assert.deepEqual(events, ['open 1', 'close 1', 'open 2']);
      await pool.close();
    } finally {
      mock.timers.reset();
    }
  });

  it('one that is in use is closed when its users have done, and opened anew for those who come meanwhile', async () => {
    const { pool, events } = lab();
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const first = pool.use(ID, () => done);
    const evicted = pool.evict(ID);
    await pool.use(ID, tick);
    assert.deepEqual(events, ['open 1', 'open 2']);
    finish();
    await Promise.all([first, evicted]);
    assert.deepEqual(events, ['open 1', 'open 2', 'close 1']);
    await pool.close();
    assert.deepEqual(events, ['open 1', 'open 2', 'close 1', 'close 2']);
  });

  it('gives a workspace back also where the work throws', async () => {
    const { pool, events } = lab();
    await assert.rejects(
      pool.use(ID, async () => {
        throw new Error('work failed');
      }),
      /work failed/,
    );
    await pool.close();
    assert.deepEqual(events, ['open 1', 'close 1']);
  });

  it('while one is removed it is not found, and afterwards it is looked for again', async () => {
    const { pool, events } = lab();
    await pool.use(ID, tick);
    await pool.withoutIt(ID, async () => {
      assert.deepEqual(events, ['open 1', 'close 1']);
      await assert.rejects(pool.use(ID, tick), { code: 'workspace_not_found' });
    });
    await pool.use(ID, tick);
    assert.equal(events.at(-1), 'open 2');
    await pool.close();
  });

  it('one that cannot be closed when it is idle is told of, and nothing else fails', async () => {
    const { pool, faults } = lab(async () => {
      throw new Error('disk gone');
    });
    await pool.use(ID, tick);
    pool.evictSoon(ID);
    await tick();
    assert.match(String(faults[0]), /disk gone/);
    assert.equal(pool.size, 0);
  });
});
