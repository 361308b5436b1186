import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { type Oid, parseOid, ZERO_OID } from '../../server/domain/ids.ts';
import { openRefsRecord, type RefMove } from '../../server/vault/refs-record.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const TS = '2026-01-02T03:04:05.000Z';
const oid = (n: number): Oid => parseOid(n.toString(16).padStart(40, '0'));

function places(t: TestContext) {
  const folder = scratchFolder(t);
  const [state, gitDir] = [join(folder, 'state'), join(folder, 'git')];
  mkdirSync(state);
  mkdirSync(join(gitDir, 'refs/tags'), { recursive: true });
  return {
    state,
    gitDir,
    file: join(state, 'refs.ndjson'),
    open: (has = () => true) => openRefsRecord(state, gitDir, { has }),
  };
}

const create = (ref: string, value: Oid): RefMove => ({ updates: [{ ref, old: ZERO_OID, new: value }], ts: TS });

test('a record that nobody wrote is empty, and reading makes no file', (t) => {
  const { open, file } = places(t);
  const record = open();
  assert.deepEqual(
    [record.all().size, record.damaged, record.pending, record.committed('x')],
    [0, 0, undefined, undefined],
  );
  assert.throws(() => readFileSync(file), { code: 'ENOENT' });
});

test('whatever moves, is revoked or deleted, a record read again says the same', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          ref: fc.constantFrom('a', 'b', 'c'),
          value: fc.nat({ max: 5 }),
          revoke: fc.boolean(),
          key: fc.option(fc.constantFrom('k1', 'k2')),
        }),
        { maxLength: 20 },
      ),
      async (moves) => {
        const { open } = places(t);
        const record = open();
        const [refs, keys] = [new Map<string, Oid>(), new Map<string, Oid>()];
        for (const { ref, value, revoke, key } of [...moves, { ref: 'end', value: 1, revoke: true, key: null }]) {
          const updates = [{ ref: `refs/tags/${ref}`, old: refs.get(`refs/tags/${ref}`) ?? ZERO_OID, new: oid(value) }];
          await record.begin({ updates, ts: TS, ...(key && { commit: { key, sha: oid(value), tree: oid(9) } }) });
          if (revoke) await record.revoke();
          else {
            record.confirm();
            if (value === 0) refs.delete(`refs/tags/${ref}`);
            else refs.set(`refs/tags/${ref}`, oid(value));
            if (key) keys.set(key, oid(value));
          }
        }
        for (const read of [record, open()]) {
          assert.deepEqual(new Map(read.all()), refs);
          for (const key of ['k1', 'k2']) assert.equal(read.committed(key)?.sha, keys.get(key));
        }
      },
    ),
    { numRuns: 20 },
  );
});

test('the last move is believed once its refs are there', async (t) => {
  const { open, gitDir } = places(t);
  await open().begin(create('refs/tags/t', oid(7)));
  assert.deepEqual([open().get('refs/tags/t'), open().pending?.updates.length], [undefined, 1]);
  writeFileSync(join(gitDir, 'refs/tags/t'), `${oid(7)}\n`);
  assert.deepEqual([open().get('refs/tags/t'), open().pending], [oid(7), undefined]);
});

test('a second move cannot begin while it is not known what became of the first', async (t) => {
  const record = places(t).open();
  await record.begin(create('refs/tags/t', oid(1)));
  await assert.rejects(record.begin(create('refs/tags/u', oid(1))), (error) => isDevLoopError(error, 'internal'));
});

test('a commit is found by its key with its tag and its tree', async (t) => {
  const { open } = places(t);
  const record = open();
  const commit = { key: 'call-1', sha: oid(3), tree: oid(4), tag: 'prd-rev-1' };
  await record.begin({ ...create('refs/tags/prd-rev-1', oid(2)), commit });
  record.confirm();
  await record.begin(create('refs/tags/x', oid(1)));
  await record.revoke();
  const read = open();
  assert.deepEqual(read.committed('call-1'), commit);
  assert.equal(read.treeOf(oid(3)), oid(4));
  assert.equal(read.treeOf(oid(5)), undefined);
});

test('a damaged line in the middle is counted, a torn one at the end is not there', async (t) => {
  const { open, file } = places(t);
  const record = open();
  await record.begin(create('refs/tags/a', oid(1)));
  record.confirm();
  appendFileSync(file, 'damaged\n');
  await open()
    .begin(create('refs/tags/b', oid(1)))
    .catch((error: unknown) => assert.ok(isDevLoopError(error, 'internal')));
  const lines = readFileSync(file, 'utf8');
  writeFileSync(file, `${lines}${lines.split('\n')[0]}\n{"torn`);
  assert.equal(open().damaged, 1);
});

test('ten thousand commits are read in well under a second', async (t) => {
  const { open, file } = places(t);
  const record = open();
  await record.begin({ ...create('refs/heads/main', oid(1)), commit: { key: 'k-0', sha: oid(1), tree: oid(2) } });
  record.confirm();
  const { logLine } = await import('../../server/io/log-line.ts');
  const lines = Array.from({ length: 10_000 }, (_, i) => {
    const updates = [{ ref: 'refs/heads/main', old: oid(i + 1), new: oid(i + 2) }];
    return `${logLine({ n: i + 2, updates, ts: TS, commit: { key: `k-${i + 1}`, sha: oid(i + 2), tree: oid(2) } })}\n`;
  });
  appendFileSync(file, lines.join(''));
  const start = process.cpuUsage();
  const read = open();
  const { user } = process.cpuUsage(start);
  assert.equal(read.committed('k-9999')?.sha, oid(10_000));
  assert.ok(user < 2_000_000, `${user} µs`);
});
