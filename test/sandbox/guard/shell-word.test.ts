import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { commandWords } from '../../../server/sandbox/guard/command-words.ts';
import { loadShellParser } from '../../../server/sandbox/guard/shell-parser.ts';

const parse = await loadShellParser();

/** What the guard takes the first argument of a command to be. */
const read = (word: string): string | undefined =>
  parse(`x ${word}`, {
    deadline: performance.now() + 60_000,
    otherwise: undefined,
    use: (root) => {
      const [command] = root.hasError ? [] : root.descendantsOfType('command');
      const words = command ? commandWords(command) : [];
      return words.length === 2 ? words[1]?.text : undefined;
    },
  });

/** What bash makes of words: each on a line of its own in hex. */
function expandedByBash(words: readonly string[]): readonly string[] {
  const script = words.map((word) => `printf %s ${word} | od -An -tx1 | tr -d ' \\n'; echo`).join('\n');
  const { stdout } = spawnSync('bash', ['--norc', '-c', script], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
  });
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((hex) => Buffer.from(hex, 'hex').toString('utf8'));
}

const letters = fc.stringMatching(/^[a-z0-9./_-]{1,6}$/);
const part = fc.oneof(
  letters,
  letters.map((text) => `'${text} $x * "'`),
  letters.map((text) => `"${text} \\" \\$ \\\\ ' *"`),
  letters.map((text) => `\\${text}`),
  fc.constantFrom("$'\\x67'", "$'\\147i'", "$'a\\tb'", "$'\\u00e4'", '\\ ', '\\$', "''", '""', "$'\\''", '\\"', 'ä'),
);

test('a word that is known is what bash makes of it', () => {
  const words = fc.sample(
    fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('')),
    { numRuns: 150, seed: 7 },
  );
  const known = words.filter((word) => read(word) !== undefined);
  assert.ok(known.length > 120);
  assert.deepEqual(known.map(read), expandedByBash(known));
});

test('a word that the shell would change is not known', () => {
  for (const word of [
    '$x',
    '"$x"',
    `"a$\{x}b"`,
    '$(x)',
    '`x`',
    '"`x`"',
    '$((1))',
    'a*',
    'a?',
    '[ab]',
    'a{b,c}',
    '{1..3}',
    '<(x)',
    "a'b'*",
  ]) {
    assert.equal(read(word), undefined, word);
  }
});

test('what only looks like a pattern is known', () => {
  assert.deepEqual(['{}', '\\*', "'*'", '"?"', 'a\\{b', '~/x', '%1', '+'].map(read), [
    '{}',
    '*',
    '*',
    '?',
    'a{b',
    '~/x',
    '%1',
    '+',
  ]);
});
