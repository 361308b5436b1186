import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitFailure } from '../../server/git/git-failure.ts';

const codeOf = (stderr: string): string => gitFailure({ args: ['log'], exit: 128, stderr }).code;

test('what git says decides the code', () => {
  assert.equal(codeOf('fatal: write error: No space left on device\n'), 'disk_full');
  assert.equal(codeOf('error: unable to create temporary file: Permission denied\n'), 'permission_denied');
  assert.equal(
    codeOf('error: object file .git/objects/aa is empty\nfatal: loose object aa is corrupt\n'),
    'vault_damaged',
  );
  assert.equal(codeOf('fatal: bad object 1111\n'), 'vault_damaged');
  for (const said of [
    "couldn't read ./packed-refs: Is a directory",
    'unexpected line in ./packed-refs: garbage',
    'mmap failed: No such device',
    'index file ./objects/pack/pack-1.idx is too small',
    'packfile ./objects/pack/pack-1.pack cannot be accessed',
  ])
    assert.equal(codeOf(`fatal: ${said}\n`), 'vault_damaged');
  assert.equal(codeOf("fatal: Unable to create '/x/packed-refs.lock': File exists.\n"), 'git_failed');
  assert.equal(codeOf("fatal: not a git repository: '/x'\n"), 'git_failed');
  assert.equal(codeOf(''), 'git_failed');
});

test('the message names the command, how it ended, and git’s own first complaint', () => {
  const error = gitFailure({
    args: ['archive', '--format=tar'],
    exit: 128,
    stderr: 'hint: none\nfatal: it broke\nmore\n',
  });
  assert.equal(error.message, 'git archive ended with status 128: fatal: it broke');
  assert.equal(
    gitFailure({ args: ['log'], exit: null, signal: 'SIGKILL', stderr: '' }).message,
    'git log was ended by SIGKILL: ',
  );
});

test('a flood of words is cut', () => {
  const { data } = gitFailure({ args: ['log'], exit: 1, stderr: 'x'.repeat(100_000) });
  assert.equal(String(data.stderr).length, 2_000);
});
