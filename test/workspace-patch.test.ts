import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Workspace } from '../server/workspace/index.ts';
import { workspacePatch } from '../server/workspace-patch.ts';
import { plainComparer } from './support/plain-comparer.ts';
import { inTempFolder } from './support/temp-folder.ts';

test('of many large files only so much is shown, and the rest is named', async () => {
  const text = Buffer.from('a line of a text\n'.repeat(120_000));
  const changes = Array.from({ length: 20 }, (_, i) => ({ change: 'added', path: `f${i}` }));
  const workspace = {
    changes: async () => changes,
    fileOpener: async (side: string) => async () => (side === 'now' ? text : undefined),
  } as unknown as Workspace;
  await inTempFolder(async (folder) => {
    const comparer = plainComparer(folder);
    const files = await workspacePatch(workspace, { from: 'x', to: 'now', comparer } as never);
    assert.equal(files.length, changes.length);
    const bytes = files.reduce((sum, { patch }) => sum + patch.length, 0);
    assert.ok(bytes < 36 << 20, `${bytes} bytes`);
    assert.deepEqual([files[0]?.additions, files[0]?.opaque], [120_000, undefined]);
    const last = files.at(-1);
    assert.deepEqual([last?.opaque, String(last?.patch)], ['too_large', 'added f19: no room was left\n']);
  });
});
