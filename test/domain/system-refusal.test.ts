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

  it('stays as it is where no code of ours stands for it', () => {
    for (const error of [systemError('EIO'), systemError('toString'), new DevLoopError('busy', 'x'), 'text', undefined])
      assert.equal(systemRefusal(error, { doing: 'x' }), error);
  });
});
