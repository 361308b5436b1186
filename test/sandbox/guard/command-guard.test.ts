import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { type CommandGuard, callEnvironment, createSandbox, loadCommandGuard } from '../../../server/sandbox/index.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { HIDDEN, INNOCENT, SEEN, UNCLEAR } from './git-calls.ts';

let guard: CommandGuard;
before(async () => {
  guard = await loadCommandGuard();
});

test('there are enough of each', () => {
  assert.ok(SEEN.length + UNCLEAR.length >= 80 && INNOCENT.length >= 80);
  for (const list of [SEEN, UNCLEAR, HIDDEN, INNOCENT]) assert.equal(new Set(list).size, list.length);
});

test('every way to run git that a command shows is refused before it runs', () => {
  assert.deepEqual(
    SEEN.filter((script) => guard.checkScript(script) === undefined),
    [],
  );
});

test('what only running it would tell is refused', () => {
  assert.deepEqual(
    UNCLEAR.filter((script) => guard.checkScript(script) === undefined),
    [],
  );
});

test('innocent commands pass, also those that mention git', () => {
  const refused = INNOCENT.map((script) => [script, guard.checkScript(script)]).filter(([, why]) => why !== undefined);
  assert.deepEqual(refused, []);
});

test('what no command shows is not refused before, and finds a git that refuses', async (t) => {
  const folder = scratchFolder(t);
  const shim = join(folder, 'shim');
  await createSandbox({ mode: 'off', path: '', hidden: [], readable: [], shim });
  const call = 'git init made-by-git 2>> refusals';
  const files = {
    'calls-git.sh': `#!/bin/sh\n${call}\n`,
    'calls-git.mjs': `import { spawnSync } from 'node:child_process'; spawnSync('sh', ['-c', ${JSON.stringify(call)}]);`,
    'calls_git.py': `import subprocess\nsubprocess.run(['sh', '-c', ${JSON.stringify(call)}])\n`,
    Makefile: `commit:\n\t-${call}\n`,
    'package.json': JSON.stringify({ scripts: { commit: `${call} || true` } }),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  chmodSync(join(folder, 'calls-git.sh'), 0o755);
  const env = callEnvironment({ shim, path: process.env.PATH ?? '', home: folder, tmp: folder });
  for (const script of HIDDEN) {
    assert.equal(guard.checkScript(script), undefined, script);
    spawnSync('sh', ['-c', script], { cwd: folder, env });
  }
  const refusals = readFileSync(join(folder, 'refusals'), 'utf8').match(/git is not available here/g);
  assert.deepEqual([refusals?.length, existsSync(join(folder, 'made-by-git'))], [HIDDEN.length, false]);
});

test('argument lists are looked at without a shell: nothing in them is expanded', () => {
  assert.equal(guard.checkArguments(['node', '--test', '$(git status)']), undefined);
  assert.equal(guard.checkArguments(['npm', 'test']), undefined);
  assert.equal(guard.checkArguments(['grep', 'git', '*']), undefined);
  for (const argv of [
    ['git', 'status'],
    ['/usr/bin/git'],
    ['env', 'git'],
    ['sh', '-c', 'cd a && git add .'],
    ['bash'],
    [],
  ]) {
    assert.notEqual(guard.checkArguments(argv), undefined, argv.join(' '));
  }
});

test('a refusal says why in a sentence that an agent can act on', () => {
  assert.equal(guard.checkScript('git status'), 'git is not available here');
  assert.equal(guard.checkScript('$G status'), 'which program $G is shows only when it runs');
  assert.equal(guard.checkScript('echo "a'), 'it cannot be read as a shell script');
});

test('scripts in scripts are looked at to some depth only', () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'true' : `eval ${JSON.stringify(nested(depth - 1)).replace(/\$/g, '\\$')}`;
  assert.equal(guard.checkScript(nested(4)), undefined);
  assert.equal(guard.checkScript(nested(10)), 'scripts are nested too deep');
});

test('a command that is long or tangled is answered soon, and the next one too', () => {
  for (const part of ['a|', 'a=(', '$(', '[[ ']) {
    const begun = performance.now();
    guard.checkScript(`sh ${part.repeat(10_000)}`.slice(0, 20_000));
    assert.ok(performance.now() - begun < 10_000, part);
  }
  assert.equal(guard.checkScript(`echo ${'a'.repeat(20_000)}`), 'it is too long to be looked at');
  assert.equal(guard.checkScript(`sh ${'a=('.repeat(6_000)}`), 'it is too tangled to be looked at');
  assert.equal(guard.checkScript('ls'), undefined);
});

test('any text gets an answer', () => {
  const part = fc.oneof(
    fc.string(),
    fc.constantFrom(
      'git',
      '$(',
      ')',
      '`',
      '"',
      "'",
      '|',
      '<<EOF\n',
      '\n',
      ' ',
      '$x',
      '\\',
      '{',
      '}',
      'eval ',
      'sh -c ',
    ),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const refusal = guard.checkScript(parts.join(''));
      assert.ok(refusal === undefined || refusal.length > 0);
    }),
  );
});

test('a command named git is refused whatever stands around it', () => {
  const word = fc.stringMatching(/^[a-z0-9./=-]{1,8}$/).filter((text) => !/git/.test(text));
  const around = fc.constantFrom<(call: string) => string>(
    (call) => `${call} | cat`,
    (call) => `true && ${call}`,
    (call) => `( ${call} )`,
    (call) => `if true; then ${call}; fi`,
    (call) => `echo "$(${call})"`,
    (call) => `sh -c '${call}'`,
    (call) => `timeout 5 ${call}`,
  );
  fc.assert(
    fc.property(fc.array(around, { maxLength: 4 }), fc.array(word, { maxLength: 3 }), (shells, words) => {
      const call = `git ${words.join(' ')}`;
      const script = shells.reduce(
        (inner, wrap) => (inner.includes("'") || /^[(i]/.test(inner) ? inner : wrap(inner)),
        call,
      );
      assert.notEqual(guard.checkScript(script), undefined, script);
    }),
  );
});
