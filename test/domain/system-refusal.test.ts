import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DevLoopError, isDevLoopError } from '../../server/domain/errors.ts';
import { systemRefusal } from '../../server/domain/system-refusal.ts';

const systemError = (code: string): Error => Object.assign(new Error(`${code}: refused`), { code });

describe('what the system refuses', () => {
  for (const [system, ours] of [
    ['ENOSPC', 'disk_full'],
    ['EDQUOT', 'disk_full'],
    ['EROFS', 'read_only'],
    ['EACCES', 'permission_denied'],
    ['EPERM', 'permission_denied'],
    ['EMFILE', 'busy'],
    ['ENFILE', 'busy'],
  ] as const) {
    it(`is ${ours} for ${system}, with what was being done, data, hint and cause`, () => {
      const cause = systemError(system);
      const error = systemRefusal(cause, { doing: 'writing the journal', data: { pid: 'p-1' } });
      assert.ok(isDevLoopError(error, ours));
      assert.match(error.message, /^writing the journal: /);
      assert.deepEqual(error.data, { pid: 'p-1' });
      assert.ok(error.hint);
      assert.equal(error.cause, cause);
    });
  }

  it('is named where Node has only the words of the system', () => {
    for (const [code, message, ours] of [
      ['Unknown system error -122', 'Unknown system error -122: Unknown system error -122, write', 'disk_full'],
      ['', ", Unknown error: No space left on device '/x'", 'disk_full'],
      ['', ", Unknown error: Disk quota exceeded '/x'", 'disk_full'],
      ['', ", Unknown error: Read-only file system '/x'", 'read_only'],
    ] as const) {
      const cause = Object.assign(new Error(message), { code });
      assert.ok(isDevLoopError(systemRefusal(cause, { doing: 'x' }), ours), message);
    }
  });

  it('stays as it is where no code of ours stands for it', () => {
    for (const error of [systemError('EIO'), systemError('toString'), new DevLoopError('busy', 'x'), 'text', undefined])
      assert.equal(systemRefusal(error, { doing: 'x' }), error);
  });
});
