import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytePathFromLatin1, bytePathFromText } from '../../server/domain/byte-path.ts';
import type { Finding } from '../../server/domain/finding.ts';
import { parseOid } from '../../server/domain/ids.ts';
import { LoopController } from '../../server/loop/index.ts';
import { FakeWorld } from '../support/fake-world.ts';

const commit = parseOid('a'.repeat(40));
const blob = parseOid('b'.repeat(40));
const finding = (path: string): Finding => ({ commit, blob, rule: 'github', path: bytePathFromText(path), line: 2 });

async function startedWorld() {
  const world = new FakeWorld();
  const loop = new LoopController(world.ports());
  const { pid } = await loop.create({ requirement: 'a list' });
  return { world, loop, pid };
}

describe('secrets that the vault finds', () => {
  it('are an event of the project, whatever its state, and change nothing else', async () => {
    const { world, loop, pid } = await startedWorld();
    const before = await loop.project(pid);
    await loop.note(pid, { kind: 'secrets', found: { commit, findings: [finding('a.txt')], not_scanned: 1 } });
    const [last] = world.only.ledger.slice(-1);
    assert.deepEqual(last?.entry.events, [
      {
        kind: 'secret_found',
        sha: commit,
        findings: [{ path: 'a.txt', blob, rule: 'github', line: 2 }],
        total: 1,
        not_scanned: 1,
      },
    ]);
    const after = await loop.project(pid);
    assert.deepEqual({ ...after, updated_at: '' }, { ...before, updated_at: '' });
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
    await loop.note(pid, { kind: 'secrets', found: { commit, findings: [finding('b.txt')], not_scanned: 0 } });
    assert.equal((await loop.project(pid)).status, 'shipped');
  });

  it('are named up to twenty, and counted all; names that are no UTF-8 keep their bytes', async () => {
    const { world, loop, pid } = await startedWorld();
    const many = Array.from({ length: 30 }, (_, i) => finding(`${i}.txt`));
    const odd = { ...finding(''), path: bytePathFromLatin1('\xff.txt') };
    await loop.note(pid, { kind: 'secrets', found: { commit, findings: [odd, ...many], not_scanned: 0 } });
    const [event] = world.only.ledger.at(-1)?.entry.events ?? [];
    assert.ok(event?.kind === 'secret_found');
    assert.deepEqual([event.findings.length, event.total], [20, 31]);
    assert.equal(event.findings[0]?.path_b64, btoa('\xff.txt'));
  });

  it('are folded from the journal again after a start', async () => {
    const { world, loop, pid } = await startedWorld();
    await loop.note(pid, { kind: 'secrets', found: { commit, findings: [finding('a.txt')], not_scanned: 0 } });
    await loop.stop();
    const told = world.only.ledger.splice(-1);
    const again = new LoopController(world.ports());
    await again.boot();
    assert.deepEqual(world.only.ledger.slice(-1), told);
    assert.equal((await again.project(pid)).status, 'created');
  });
});

describe('a repository that the vault has put right', () => {
  it('is an event of the project, which goes on', async () => {
    const { world, loop, pid } = await startedWorld();
    await loop.note(pid, { kind: 'mended', what: ['took over 1 commit that somebody made on main'] });
    const [last] = world.only.ledger.slice(-1);
    assert.deepEqual(last?.entry.events, [
      { kind: 'vault_repaired', what: ['took over 1 commit that somebody made on main'] },
    ]);
    await loop.run(pid);
    assert.equal((await loop.settled(pid)).status, 'shipped');
  });
});
