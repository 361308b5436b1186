import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { atRest, gitIn, shippedFacts, startDemoProject } from '../support/demo-project.ts';
import { startServer } from '../support/running-server.ts';

describe('two projects at once', () => {
  it('ship the same as each alone, and neither holds anything of the other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devloop-two-'));
    const server = await startServer(join(folder, 'data'), folder);
    try {
      const pids = await Promise.all([startDemoProject(server), startDemoProject(server)]);
      const projects = await Promise.all(pids.map((pid) => atRest(server, pid)));
      for (const project of projects) assert.equal(project.status, 'shipped', `${project.reason}: ${project.detail}`);
      const [one, other] = projects.map((project) => shippedFacts(project.path, folder));
      assert.deepEqual(one?.trees, other?.trees);
      assert.deepEqual([...(one?.subjects ?? [])].sort(), [...(other?.subjects ?? [])].sort());
      for (const [i, project] of projects.entries()) {
        const stranger = pids[1 - i] ?? '';
        assert.throws(
          () => gitIn(project.path, folder)('grep', '-q', stranger, 'HEAD'),
          'no word of the other project',
        );
      }
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
