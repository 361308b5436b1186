import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BytePath, bytePathFromLatin1, bytePathFromText } from '../../server/domain/byte-path.ts';
import { pathspecs } from '../../server/git/pathspec.ts';

test('text is taken literally, bytes that are no text by a pattern, the root not at all', () => {
  assert.deepEqual(pathspecs(undefined), ['--']);
  assert.deepEqual(pathspecs('' as BytePath), ['--']);
  assert.deepEqual(pathspecs(bytePathFromText('a*/:(top)é')), ['--', ':(literal)a*/:(top)é']);
  assert.deepEqual(pathspecs(bytePathFromLatin1('a*[\\\xff')), ['--', ':(glob)a\\*\\[\\\\?', ':(glob)a\\*\\[\\\\?/**']);
});
