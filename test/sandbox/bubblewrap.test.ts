import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { bubblewrapArguments, type Command } from '../../server/sandbox/bubblewrap.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

function project(t: TestContext) {
  const scratch = scratchFolder(t);
  const root = join(scratch, 'data/p');
  for (const folder of ['.git', 'units/todo/runs', 'units/todo/code'])
    mkdirSync(join(root, folder), { recursive: true });
  mkdirSync(join(scratch, 'tmp'));
  mkdirSync(join(scratch, 'tools/bin'), { recursive: true });
  writeFileSync(join(root, 'timeline.ndjson'), '');
  const host = {
    program: '/usr/bin/bwrap',
    hidden: [join(scratch, 'data'), scratch, join(scratch, 'home')],
    shown: [join(scratch, 'tools')],
    git: join(scratch, 'shim/git'),
    path: '/usr/bin:/bin',
  };
  const command: Command = {
    argv: ['node', '--test'],
    cwd: join(root, 'units/todo'),
    root,
    writable: [join(root, 'units/todo'), join(scratch, 'tmp')],
    protected: [join(root, 'units/todo/runs')],
    hidden: [join(root, '.git'), join(root, 'timeline.ndjson')],
    network: 'own',
  };
  return { scratch, root, host, command };
}

/** Where an option with its values stands in the list; -1 where it does not. */
function placeOf(argv: readonly string[], ...part: readonly string[]): number {
  return argv.findIndex((_, at) => part.every((word, i) => argv[at + i] === word));
}

test('the command comes last, behind its bounds and a mark', (t) => {
  const { host, command } = project(t);
  const argv = bubblewrapArguments(host, command);
  assert.equal(argv[0], '/usr/bin/bwrap');
  assert.deepEqual(argv.slice(-5), ['--chdir', command.cwd, '--', 'node', '--test']);
});

test('what opens comes after what it opens: root, hidden folders, project, writable, protected, hidden', (t) => {
  const { host, command, root, scratch } = project(t);
  const argv = bubblewrapArguments(host, command);
  const own = join(root, 'units/todo');
  const places = [
    placeOf(argv, '--ro-bind', '/', '/'),
    argv.findIndex((word, at) => word === '--tmpfs' && scratch.startsWith(argv[at + 1] ?? '/')),
    placeOf(argv, '--ro-bind', root, root),
    placeOf(argv, '--bind', own, own),
    placeOf(argv, '--ro-bind', join(own, 'runs'), join(own, 'runs')),
    placeOf(argv, '--tmpfs', join(root, '.git'), '--remount-ro', join(root, '.git')),
  ];
  assert.ok(!places.includes(-1));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
  assert.notEqual(placeOf(argv, '--ro-bind', '/dev/null', join(root, 'timeline.ndjson')), -1);
});

test('folders below a hidden one are hidden with it, and toolchains there are shown where they are named', (t) => {
  const { host, command, scratch } = project(t);
  const argv = bubblewrapArguments(host, command);
  assert.equal(placeOf(argv, '--tmpfs', join(scratch, 'data')), -1);
  assert.notEqual(placeOf(argv, '--ro-bind', join(scratch, 'tools'), join(scratch, 'tools')), -1);
});

test('the root of the file system is never hidden, and what is not hidden is not shown twice', (t) => {
  const { host, command } = project(t);
  const argv = bubblewrapArguments({ ...host, hidden: ['/'], shown: ['/usr/lib'] }, command);
  assert.equal(placeOf(argv, '--tmpfs', '/'), -1);
  assert.equal(placeOf(argv, '--ro-bind', '/usr/lib', '/usr/lib'), -1);
});

test('every namespace is its own, no capability is left, and the network is as asked', (t) => {
  const { host, command } = project(t);
  const own = bubblewrapArguments(host, command);
  for (const flag of [
    '--unshare-user',
    '--disable-userns',
    '--unshare-pid',
    '--unshare-ipc',
    '--die-with-parent',
    '--new-session',
    '--unshare-net',
  ]) {
    assert.ok(own.includes(flag), flag);
  }
  assert.notEqual(placeOf(own, '--cap-drop', 'ALL'), -1);
  assert.ok(!bubblewrapArguments(host, { ...command, network: 'host' }).includes('--unshare-net'));
});

test('no value of the environment stands in the list', (t) => {
  const { host, command } = project(t);
  assert.ok(!bubblewrapArguments(host, command).some((word) => /^--(setenv|clearenv|args)$/.test(word)));
});

test('what is absent is left out; nothing is made for it', (t) => {
  const { host, command, root } = project(t);
  const absent = join(root, 'absent');
  const argv = bubblewrapArguments(host, { ...command, writable: [absent], protected: [absent], hidden: [absent] });
  assert.ok(!argv.includes(absent));
});

test('a link in the place of a bound, or above it, is refused', (t) => {
  const { host, command, root, scratch } = project(t);
  symlinkSync(join(scratch, 'tmp'), join(root, 'link'));
  for (const path of [join(root, 'link'), join(root, 'link/below')]) {
    for (const bound of ['writable', 'protected', 'hidden'] as const) {
      const refused = { code: 'path_refused', message: `${join(root, 'link')} is a link; it cannot bound a program` };
      assert.throws(() => bubblewrapArguments(host, { ...command, [bound]: [path] }), refused);
    }
  }
});

test('each other git of the host is covered by the one that refuses', (t) => {
  const { host, command } = project(t);
  const argv = bubblewrapArguments(host, command);
  assert.notEqual(placeOf(argv, '--ro-bind', host.git, '/usr/bin/git'), -1);
});
