import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseProjectId, parseUnitId } from '../../server/domain/ids.ts';
import type { VaultService } from '../../server/http/services.ts';
import type { VaultPort } from '../../server/loop/ports.ts';
import { openGitVault } from '../../server/vault/git-vault.ts';
import { COMPANY, PROJECT, projectFolders } from '../support/project-folders.ts';
import { commitSpec } from '../support/project-vault.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

test('the vault is what the loop and HTTP ask for', async (t) => {
  const dataDir = scratchFolder(t);
  mkdirSync(join(dataDir, 'companies'), { recursive: true });
  const folders = projectFolders(dataDir);
  const { root } = await folders.create(COMPANY, PROJECT);
  const settings = { max_file_bytes: 1_000_000, now: () => new Date() };
  const vault = openGitVault({ locate: (pid) => folders.locate(pid), settings });
  t.after(() => vault.close());
  const port: VaultPort = vault;
  const service: Omit<VaultService, 'bisect' | 'statusDiff'> = vault;

  writeFileSync(join(root, 'project.json'), '{}');
  const first = commitSpec({ kind: 'init', files: ['project.json'] });
  const { head } = await port.init(PROJECT, first);
  assert.equal(await port.head(PROJECT), head);
  assert.equal(await port.committed(PROJECT, first.key), head);
  assert.equal((await port.status(PROJECT)).dirty, false);
  assert.deepEqual(await port.inspect(PROJECT), { head, repaired: [], problems: [] });
  assert.deepEqual(await port.attempts(PROJECT, parseUnitId('a')), []);
  assert.equal((await service.log(PROJECT, { limit: 5 })).items[0]?.sha, head);
  assert.equal((await service.tag(PROJECT, 'v1', { ref: 'HEAD' })).sha, head);
  assert.deepEqual((await service.verify(PROJECT, AbortSignal.timeout(60_000))).problems, []);
  await assert.rejects(port.head(parseProjectId('p-bbbbbbbb')), (error) => isDevLoopError(error, 'project_not_found'));
});
