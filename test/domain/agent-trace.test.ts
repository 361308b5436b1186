import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addedLines, traceRecord } from '../../server/domain/agent-trace.ts';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import type { CommitInfo, FileChange } from '../../server/domain/commit.ts';
import { parseOid } from '../../server/domain/ids.ts';
import { DEVLOOP, ROLE_IDENTITY } from '../../server/domain/roles.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const commit: CommitInfo = {
  sha: parseOid('0123456789abcdef0123456789abcdef01234567'),
  parents: [parseOid('a'.repeat(40))],
  subject: 'code(store): implement · attempt 1',
  author: ROLE_IDENTITY.coder,
  ts: '2026-01-02T03:04:05.000Z',
  trailers: { 'DevLoop-Call': 'c7-coder', 'DevLoop-Agent': 'model some-model (recorded)' },
  refs: [],
};
const file = (path: string): FileChange => ({ path: bytePathFromText(path), change: 'modified' });

describe('lines that a diff adds', () => {
  it('are counted in the file as it is afterwards, hunk by hunk', () => {
    const patch = `diff --git a/x b/x
index 1..2 100644
--- a/x
+++ b/x
@@ -1,4 +1,5 @@
 one
-two
+TWO
+two and a half
 three
 four
@@ -10,2 +11,3 @@ context
 ten
+ten and a half
 eleven
`;
    assert.deepEqual(addedLines(bytes(patch)), [
      [
        { start_line: 2, end_line: 3 },
        { start_line: 12, end_line: 12 },
      ],
    ]);
  });

  it('are not confused by content that looks like a header, or by a missing last line end', () => {
    const patch = `diff --git a/x b/x
--- /dev/null
+++ b/x
@@ -0,0 +1,4 @@
+diff --git a/y b/y
+@@ -1 +1 @@
+++ b/z
+end
\\ No newline at end of file
diff --git a/y b/y
old mode 100644
new mode 100755
diff --git a/z b/z
index 1..2
Binary files a/z and b/z differ
diff --git a/w b/w
--- a/w
+++ b/w
@@ -1 +1 @@
-- old
+- new
`;
    assert.deepEqual(addedLines(bytes(patch)), [
      [{ start_line: 1, end_line: 4 }],
      [],
      [],
      [{ start_line: 1, end_line: 1 }],
    ]);
  });

  it('of a new file are all of it', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[ -~]{0,20}$/), { minLength: 1, maxLength: 30 }), (lines) => {
        const patch = `diff --git a/x b/x\n--- /dev/null\n+++ b/x\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
        assert.deepEqual(addedLines(bytes(patch)), [[{ start_line: 1, end_line: lines.length }]]);
      }),
    );
  });
});

describe('a trace record', () => {
  const section = (path: string) =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -0,0 +1,2 @@\n+a\n+b\n`;
  const change = (...paths: readonly string[]) => ({
    files: paths.map(file),
    patch: bytes(paths.map(section).join('')),
  });

  it('names each file that an agent wrote, with the lines, the model, and the call of the one who signs', () => {
    const record = traceRecord(
      commit,
      change('timeline.ndjson', 'units/store/code/store.mjs', 'units/store/tests/store.test.mjs'),
    );
    const ranges = [{ start_line: 1, end_line: 2 }];
    const contributor = { type: 'ai', model_id: 'some-model' };
    assert.deepEqual(record?.files, [
      {
        path: 'units/store/code/store.mjs',
        conversations: [{ url: 'urn:devloop:call:c7-coder', contributor, ranges }],
      },
      { path: 'units/store/tests/store.test.mjs', conversations: [{ contributor, ranges }] },
    ]);
    assert.deepEqual(record.vcs, { type: 'git', revision: commit.sha });
    assert.equal(record.timestamp, commit.ts);
    assert.deepEqual(record.metadata, { 'local.devloop': { role: 'coder', ...commit.trailers } });
  });

  it('has an id that is a UUID and the same each time', () => {
    const id = traceRecord(commit, change('units/store/code/x'))?.id ?? '';
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(id, traceRecord(commit, change('units/store/code/x'))?.id);
  });

  it('names no model where none is known', () => {
    for (const agent of ['recorded (scripted)', 'command', undefined]) {
      const trailers = agent === undefined ? {} : { 'DevLoop-Agent': agent };
      const [traced] = traceRecord({ ...commit, trailers }, change('units/store/code/x'))?.files ?? [];
      assert.deepEqual(traced?.conversations[0]?.contributor, { type: 'ai' });
    }
  });

  it('is not made for what no agent wrote', () => {
    assert.equal(traceRecord({ ...commit, author: DEVLOOP }, change('units/store/code/x')), undefined);
    assert.equal(traceRecord(commit, change('timeline.ndjson', 'units/store/runs/r/result.json')), undefined);
  });

  it('is refused where diff and files do not belong together', () => {
    assert.throws(() => traceRecord(commit, { ...change('units/store/code/x'), files: [] }), /1 sections for 0 files/);
  });
});
