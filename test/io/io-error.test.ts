import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { hasCode, IoError } from '../../server/io/io-error.ts';

const failing = (code: string, message: string) => Object.assign(new Error(message), { code });

test('errors are known by their codes, those of Node and of this folder', () => {
  let absent: unknown;
  try {
    readFileSync('/no/such/file');
  } catch (error) {
    absent = error;
  }
  assert.ok(hasCode(absent, 'EEXIST', 'ENOENT'));
  assert.ok(!hasCode(absent, 'EEXIST'));
  assert.ok(hasCode(new IoError('too_large', 'x'), 'too_large'));
  for (const other of [new Error('ENOENT'), 'ENOENT', undefined, { code: 'ENOENT' }])
    assert.ok(!hasCode(other, 'ENOENT'));
});

test('a quota, and what a removal was refused for, are known though Node has no code for them', () => {
  const quota = failing('Unknown system error -122', 'Unknown system error -122: Unknown system error -122, write');
  assert.ok(hasCode(quota, 'EDQUOT'));
  assert.ok(hasCode(failing('', ", Unknown error: Read-only file system '/x'"), 'EROFS'));
  assert.ok(hasCode(failing('', ", Unknown error: No space left on device '/x'"), 'ENOSPC'));
  assert.ok(!hasCode(failing('ENOENT', "ENOENT: no such file, open 'Unknown error: Read-only file system'"), 'EROFS'));
});
