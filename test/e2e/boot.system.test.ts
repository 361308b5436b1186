import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ProjectId } from '../../server/domain/ids.ts';
import { manyProjects } from '../support/many-projects.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';
import { inMemoryFolder } from '../support/temp-folder.ts';

/** DEVLOOP_BOOT_PROJECTS=1000 tries it with a thousand. */
const PROJECTS = Number(process.env.DEVLOOP_BOOT_PROJECTS ?? 200);
const SPECIAL = { dirty: 20, damaged: 5, locked: 5, orphaned: 3 };
const LEFT = { ...SPECIAL, clean: PROJECTS - 33 };

interface Line {
  readonly kind: string;
  readonly [member: string]: unknown;
}

const timeline = (data: string, pid: ProjectId): readonly Line[] =>
  readFileSync(join(data, 'companies/default/projects', pid, 'timeline.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Asks for projects, one after the other, until the end. @returns how long each answer took, ms */
async function keepAsking(
  server: RunningServer,
  pids: readonly ProjectId[],
  end: Promise<unknown>,
): Promise<readonly number[]> {
  let ended = false;
  void end.then(() => {
    ended = true;
  });
  const took: number[] = [];
  for (let i = 0; !ended; i += 7) {
    const begun = performance.now();
    const pid = pids[i % pids.length];
    const { status, body } = await server.api(
      'GET',
      i % 2 === 0 ? `/api/devloop/projects/${pid}` : '/api/devloop/projects',
    );
    assert.equal(status, 200);
    assert.ok(i % 2 === 0 ? body.pid === pid : body.items.length > 0);
    took.push(performance.now() - begun);
  }
  return took;
}

describe(`the start of a server with ${PROJECTS} projects that one was killed over`, { timeout: 900_000 }, () => {
  it('tells of those that something is the matter with, and of no other, and answers meanwhile', async (t) => {
    await inMemoryFolder(async (folder) => {
      const data = join(folder, 'data');
      const begun = performance.now();
      const { pids, processes } = await manyProjects(data, LEFT);
      const made = performance.now();
      const all = Object.values(pids).flat();
      const before = new Map(all.map((pid) => [pid, timeline(data, pid).length]));
      for (const pid of processes) assert.ok(existsSync(`/proc/${pid}`));

      const server = await startServer(data, folder);
      try {
        const listening = performance.now();
        const scanned = server.api('GET', '/api/devloop/recovery');
        const took = await keepAsking(server, all, scanned);
        const booted = performance.now();
        t.diagnostic(
          `${PROJECTS} projects: made in ${(made - begun).toFixed(0)} ms, listening after ${(listening - made).toFixed(0)} ms, ` +
            `looked at after ${(booted - listening).toFixed(0)} ms more, ${took.length} answers meanwhile, the slowest ${Math.max(...took).toFixed(0)} ms`,
        );
        assert.ok(took.length >= 3, `${took.length} answers before the end`);

        const news = (pid: ProjectId) => timeline(data, pid).slice(before.get(pid));
        for (const pid of pids.clean) assert.deepEqual(news(pid), [], `${pid} is clean`);
        for (const pid of pids.dirty)
          assert.deepEqual(
            news(pid).map(({ kind }) => kind),
            ['recovery_dirty_tree'],
          );
        for (const pid of pids.damaged) {
          const [line, ...more] = news(pid);
          assert.deepEqual(
            [line?.kind, line?.status, line?.reason, more],
            ['project_status', 'blocked', 'vault_damaged', []],
          );
        }
        for (const pid of pids.locked) {
          const [line, ...more] = news(pid);
          assert.deepEqual([line?.kind, more], ['vault_repaired', []]);
          assert.match(String(line?.what), /removed the stale lock .*\.lock/);
        }
        for (const pid of pids.orphaned) {
          assert.deepEqual(
            news(pid).map(({ kind, status }) => [kind, status]),
            [
              ['project_status', 'paused'],
              ['agent_failed', undefined],
            ],
          );
        }
        for (const pid of processes) assert.ok(!existsSync(`/proc/${pid}`), `process ${pid} is left`);
        assert.deepEqual(
          ((await scanned).body.items as { pid: ProjectId }[]).map(({ pid }) => pid).sort(),
          [...pids.dirty].sort(),
        );
      } finally {
        await server.stop();
      }
    });
  });
});
