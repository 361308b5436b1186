import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseRemoteName, parseRemoteUrl } from '../../server/domain/remote.ts';

const refuses = (parse: (text: string) => string, text: string) =>
  assert.throws(
    () => parse(text),
    (error) => isDevLoopError(error, 'validation_failed') && !error.message.includes('s3cret'),
    text,
  );

test('addresses by https and ssh are taken as they are', () => {
  for (const url of [
    'https://forge.example/team/todo.git',
    'https://forge.example:8443/team/todo',
    'ssh://git@forge.example/team/todo.git',
    'ssh://git@forge.example:2222/~/todo.git',
    'git@forge.example:team/todo.git',
  ])
    assert.equal(parseRemoteUrl(url), url);
});

test('whatever runs a program, reads a local folder or borrows a flag is refused', () => {
  for (const url of [
    '',
    '/srv/todo.git',
    '../todo.git',
    'file:///srv/todo.git',
    'http://forge.example/todo.git',
    'git://forge.example/todo.git',
    'ext::sh -c touch% /tmp/x',
    'fd::17',
    'https::https://forge.example/x',
    '-oProxyCommand=touch x',
    'ssh://-oProxyCommand=touch/x',
    'ssh://git@-oProxyCommand/x',
    '-oProxyCommand@host:x',
    'git@-oProxyCommand=x:y',
    'git@forge.example:-x',
    'ssh://git@forge.example/-x',
    'git@forge.example:a/$(touch x)',
    'ssh://git@forge.example/`touch x`',
    'git@forge.example:a b',
    'git@forge.example:a\n[core]',
    "ssh://git@forge.example/'x'",
    'https://forge.example',
    'https://forge.example/',
  ])
    refuses(parseRemoteUrl, url);
});

test('nothing secret may be in an address, and none is repeated', () => {
  for (const url of [
    'https://user@forge.example/x.git',
    'https://user:s3cret@forge.example/x.git',
    'https://:s3cret@forge.example/x.git',
    'ssh://git:s3cret@forge.example/x.git',
    'https://forge.example/x.git?token=s3cret',
    'https://forge.example/x.git#s3cret',
  ])
    refuses(parseRemoteUrl, url);
});

test('what is taken has no letter that a shell, git or ssh reads otherwise', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.webUrl(),
        fc.string(),
        fc.string().map((path) => `git@host:${path}`),
      ),
      (text) => {
        try {
          assert.match(parseRemoteUrl(text), /^(?:https:\/\/|ssh:\/\/|[A-Za-z0-9_])[A-Za-z0-9._~/%+@:-]+$/);
        } catch (error) {
          assert.ok(isDevLoopError(error, 'validation_failed'), String(error));
        }
      },
    ),
  );
});

test('names of remotes are plain', () => {
  assert.equal(parseRemoteName('forge-2'), 'forge-2');
  for (const name of ['', '-x', 'A', 'a.b', 'a/b', 'a b', 'x'.repeat(64)]) refuses(parseRemoteName, name);
});
