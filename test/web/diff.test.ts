import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type DiffRow, diffRows, type Layout } from '../../server/web/diff/diff-rows.ts';
import { parsePatch } from '../../server/web/diff/parse-patch.ts';
import { reverseChange, reversePatch } from '../../server/web/diff/reverse-patch.ts';
import { wordMarks } from '../../server/web/diff/word-marks.ts';
import { bareEnvironment } from '../support/running-server.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const lines = fc.array(fc.constantFrom('a', 'b', '+++ c', '--- d', '@@ -1 +1 @@', 'diff --git a/x b/x', '', '\\ e\r'), {
  maxLength: 12,
});

/** What git says of two files. */
function gitDiff(folder: string, [old, fresh]: readonly [string, string], ...flags: readonly string[]): string {
  writeFileSync(join(folder, 'old'), old);
  writeFileSync(join(folder, 'new'), fresh);
  const argv = ['diff', '--no-index', ...flags, 'old', 'new'];
  try {
    return execFileSync('git', argv, { cwd: folder, encoding: 'utf8', env: bareEnvironment(folder) });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

type LineRow = Extract<DiffRow, { kind: 'line' }>;
const lineRows = (rows: readonly DiffRow[]): readonly LineRow[] => rows.filter((row) => row.kind === 'line');

/** The side that a difference is made of, as far as its rows have it. */
const sideTexts = (rows: readonly DiffRow[], side: 'old' | 'new', layout: Layout) =>
  lineRows(rows)
    .filter(({ change }) => layout === 'split' || change !== (side === 'old' ? 'added' : 'deleted'))
    .flatMap((row) => row[side] ?? [])
    .sort((a, b) => a.number - b.number);

describe('a patch', () => {
  it('is read so that both files are in it whole, whatever their lines look like', async () => {
    await inTempFolder((folder) =>
      fc.assert(
        fc.property(lines, lines, fc.constantFrom('split' as const, 'unified' as const), (old, fresh, layout) => {
          const patch = gitDiff(folder, [old.join('\n'), fresh.join('\n')], '-U100');
          const rows = diffRows(parsePatch(patch), layout);
          if (old.join('\n') === fresh.join('\n')) return assert.deepEqual(rows, []);
          assert.equal(
            sideTexts(rows, 'old', layout)
              .map(({ text }) => text)
              .join('\n'),
            old.join('\n').replace(/\n$/, ''),
          );
          assert.equal(
            sideTexts(rows, 'new', layout)
              .map(({ text }) => text)
              .join('\n'),
            fresh.join('\n').replace(/\n$/, ''),
          );
        }),
        { numRuns: 40 },
      ),
    );
  });

  it('has as many lines as git counts', async () => {
    await inTempFolder((folder) =>
      fc.assert(
        fc.property(lines, lines, (old, fresh) => {
          const ends = [old.join('\n'), fresh.join('\n')] as const;
          const [plus = '0', minus = '0'] = gitDiff(folder, ends, '--numstat').split('\t');
          const rows = lineRows(diffRows(parsePatch(gitDiff(folder, ends)), 'unified'));
          assert.equal(rows.filter(({ change }) => change === 'added').length, Number(plus));
          assert.equal(rows.filter(({ change }) => change === 'deleted').length, Number(minus));
        }),
        { numRuns: 20 },
      ),
    );
  });

  it('names its files, their modes and what is no text', () => {
    const patch = [
      'diff --git a/a b.txt b/a b.txt',
      'old mode 100644',
      'new mode 100755',
      'diff --git a/x.png b/x.png',
      'Binary files a/x.png and b/x.png differ',
      'diff --git a/gone b/gone',
      'deleted file mode 100644',
      '--- a/gone',
      '+++ /dev/null',
      '@@ -1 +0,0 @@ about',
      '-x',
      '\\ No newline at end of file',
      '',
    ].join('\n');
    const files = parsePatch(patch);
    assert.deepEqual(
      files.map(({ path, notes }) => [path, ...notes]),
      [
        ['a b.txt', 'old mode 100644', 'new mode 100755'],
        ['x.png', 'Binary files a/x.png and b/x.png differ'],
        ['gone', 'deleted file mode 100644'],
      ],
    );
    assert.deepEqual(files[2]?.hunks[0]?.lines, [{ kind: 'delete', text: 'x', open: true }]);
  });

  it('taken back twice is the same patch', async () => {
    await inTempFolder((folder) =>
      fc.assert(
        fc.property(lines, lines, (old, fresh) => {
          const files = parsePatch(gitDiff(folder, [`${old.join('\n')}\n`, `${fresh.join('\n')}\n`]));
          assert.deepEqual(files.map(reversePatch).map(reversePatch), files);
        }),
        { numRuns: 20 },
      ),
    );
    const notesOf = (...notes: readonly string[]) => reversePatch({ path: 'x', notes, hunks: [] }).notes;
    assert.deepEqual(notesOf('new file mode 100644'), ['deleted file mode 100644']);
    assert.deepEqual(notesOf('old mode 100644', 'new mode 100755'), ['old mode 100755', 'new mode 100644']);
    const file = { path: 'x', change: 'added', additions: 3, deletions: 1 } as const;
    assert.deepEqual(reverseChange(file), { path: 'x', change: 'deleted', additions: 1, deletions: 3 });
  });
});

describe('the words in which two lines differ', () => {
  const words = fc
    .array(fc.constantFrom('a', 'bc', ' ', '  ', '(', ';', 'ü', '词', '1'), { maxLength: 20 })
    .map((all) => all.join(''));

  it('are marked without changing the lines, and the same line has none', () => {
    fc.assert(
      fc.property(words, words, (old, fresh) => {
        const marks = wordMarks(old, fresh);
        assert.equal(marks.old.map(({ text }) => text).join(''), old);
        assert.equal(marks.new.map(({ text }) => text).join(''), fresh);
        const kept = (side: 'old' | 'new') =>
          marks[side]
            .filter(({ changed }) => !changed)
            .map(({ text }) => text)
            .join('');
        if (marks.old.some(({ changed }) => changed)) assert.equal(kept('old'), kept('new'));
        if (old === fresh) assert.ok(marks.old.every(({ changed }) => !changed));
      }),
    );
  });

  it('are just those words', () => {
    const { old, new: fresh } = wordMarks('const id = next(list);', 'const id = last(list, 2);');
    const marked = (pieces: typeof old) => pieces.filter(({ changed }) => changed).map(({ text }) => text);
    assert.deepEqual(marked(old), ['next']);
    assert.deepEqual(marked(fresh), ['last', ', 2']);
  });

  it('are not marked where the lines have nothing in common, nor sought one by one in huge lines', () => {
    assert.ok(wordMarks('completely different', '(1, 2, 3)').old.every(({ changed }) => !changed));
    const huge = 'x y '.repeat(2_000);
    const { old } = wordMarks(`begin ${huge} a end`, `begin ${'z y '.repeat(2_000)} a end`);
    assert.equal(old.map(({ text }) => text).join(''), `begin ${huge} a end`);
  });
});
