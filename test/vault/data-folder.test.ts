import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { openDataFolder } from '../../server/vault/data-folder.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const options = { onLost: () => assert.fail('lost') };

describe('the data folder', () => {
  it('is made, with a part that others cannot look into', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'new', 'data');
      const data = openDataFolder(path, options);
      assert.ok(statSync(join(path, 'companies')).isDirectory());
      assert.equal(statSync(join(path, '.devloop')).mode & 0o777, 0o700);
      data.release();
    }));

  it('has one owner, whose pid a second one is told', () =>
    inTempFolder((folder) => {
      const data = openDataFolder(folder, options);
      assert.throws(
        () => openDataFolder(folder, options),
        (error) =>
          isDevLoopError(error, 'data_folder_owned') &&
          error.data.pid === process.pid &&
          error.message.includes(String(process.pid)) &&
          error.hint !== undefined,
      );
      data.release();
      openDataFolder(folder, options).release();
    }));

  it('is refused where it is no folder', () =>
    inTempFolder((folder) => {
      writeFileSync(join(folder, 'file'), '');
      assert.throws(() => openDataFolder(join(folder, 'file'), options), /EEXIST|ENOTDIR/);
    }));
});
