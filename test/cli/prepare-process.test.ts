import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const MODULE = new URL('../../server/cli/prepare-process.ts', import.meta.url).href;

/** Megabytes that V8 keeps for new objects after very many have survived, as a process of its own tells it. */
function roomAfter(first: string): number {
  const code = `
    ${first}
    const { getHeapSpaceStatistics } = await import('node:v8');
    const kept = Array.from({ length: 600_000 }, (_, i) => ({ name: 'n' + i, size: i / 3 }));
    const room = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    process.stdout.write(String(kept.length > 0 && room / 2 ** 20));`;
  const argv = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', code];
  const { stdout, stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
  assert.equal(stderr, '');
  return Number(stdout);
}

test('a process that is prepared keeps little room for new objects, however many survive', () => {
  const prepared = roomAfter(`(await import(${JSON.stringify(MODULE)})).prepareProcess();`);
  assert.ok(prepared > 0 && prepared <= 8, `${prepared} MB`);
  assert.ok(roomAfter('') > prepared);
});
