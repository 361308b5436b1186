import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runWorkspaceDemo } from '../../server/demo/index.ts';
import { inTempFolder } from '../support/temp-folder.ts';

test('the demo names what differs where somebody else changes a file in its midst', async () => {
  await inTempFolder(async (folder) => {
    const { equal, checks } = await runWorkspaceDemo(folder, async (step) => {
      if (step.startsWith('edits')) appendFileSync(join(folder, 'work/vendor/lib/.git/config'), '# mine\n');
    });
    assert.equal(equal, false);
    const found = checks.filter(({ differs }) => differs.length > 0);
    assert.ok(found.some(({ claim }) => claim === '.git and what is left out were not touched'));
    for (const { claim, differs } of found) assert.deepEqual(differs, ['vendor/lib/.git/config'], claim);
    assert.deepEqual(
      checks.find(({ claim }) => claim.startsWith('restored'))?.differs,
      [],
      'it is not what a restore brings back',
    );
  });
});
