import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { readOrMakeToken, tokenFile } from '../../server/config/index.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { inTempFolder } from '../support/temp-folder.ts';

describe("a data folder's token", () => {
  it('is made once, long and random, for its owner only', () =>
    inTempFolder((data) => {
      const token = readOrMakeToken(data);
      assert.match(token, /^[\w-]{43}$/);
      assert.equal(readOrMakeToken(data), token);
      assert.equal(readFileSync(tokenFile(data), 'utf8'), `${token}\n`);
      assert.equal(statSync(tokenFile(data)).mode & 0o777, 0o600);
      assert.deepEqual(readdirSync(dirname(tokenFile(data))), ['token']);
      rmSync(tokenFile(data));
      assert.notEqual(readOrMakeToken(data), token);
    }));

  it('is closed to others where somebody opened it', () =>
    inTempFolder((data) => {
      const token = readOrMakeToken(data);
      chmodSync(tokenFile(data), 0o644);
      assert.equal(readOrMakeToken(data), token);
      assert.equal(statSync(tokenFile(data)).mode & 0o777, 0o600);
    }));

  it('is refused where the file holds none', () =>
    inTempFolder((data) => {
      mkdirSync(dirname(tokenFile(data)));
      for (const content of ['', 'short', 'with a blank in its middle', 'x'.repeat(2000)]) {
        writeFileSync(tokenFile(data), content);
        assert.throws(
          () => readOrMakeToken(data),
          (error) => isDevLoopError(error, 'config_invalid') && error.hint !== undefined,
        );
      }
    }));

  it('is not read through a link', () =>
    inTempFolder((data) => {
      mkdirSync(dirname(tokenFile(data)));
      symlinkSync('/etc/hostname', tokenFile(data));
      assert.throws(() => readOrMakeToken(data), /ELOOP/);
    }));
});
