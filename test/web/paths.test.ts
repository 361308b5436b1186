import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bytePathFromLatin1, pathText } from '../../server/domain/byte-path.ts';
import { columns } from '../../server/web/diff/line-width.ts';
import { parsePatch } from '../../server/web/diff/parse-patch.ts';
import { wordMarks } from '../../server/web/diff/word-marks.ts';
import { pathKey, pathLine, pathOfBytes, wayTo } from '../../server/web/paths/file-path.ts';

const bytes = fc
  .array(fc.integer({ min: 1, max: 255 }), { minLength: 1, maxLength: 20 })
  .map((all) => String.fromCharCode(...all));

describe('a path of any bytes', () => {
  it('has the form that the server gives it', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        assert.deepEqual(pathOfBytes(raw), pathText(bytePathFromLatin1(raw)));
      }),
    );
  });

  it('is told apart from any other, and leads through its folders', () => {
    const [one, other] = [pathOfBytes('a/b\xff/c\xfe'), pathOfBytes('a/b\xff/c\xfd')];
    assert.equal(one.path, other.path);
    assert.notEqual(pathKey(one), pathKey(other));
    assert.deepEqual([pathLine(one), pathLine(other)], ['a/b⟨ff⟩/c⟨fe⟩', 'a/b⟨ff⟩/c⟨fd⟩']);
    assert.deepEqual(wayTo(one), [{ path: 'a' }, pathOfBytes('a/b\xff'), one]);
    assert.deepEqual(wayTo({ path: '' }), []);
  });

  it('is read from the names that git quotes', () => {
    const quoted = String.raw`"a/bad-\377\t\"x\303\274.txt"`;
    const patch = `diff --git ${quoted} ${quoted}\n--- ${quoted}\n+++ ${quoted.replace('"a/', '"b/')}\n@@ -1 +1 @@\n-a\n+b\n`;
    const [file] = parsePatch(patch);
    assert.equal(atob(file?.path_b64 ?? ''), 'bad-\xff\t"x\xc3\xbc.txt');
  });
});

describe('the columns of a line', () => {
  it('count ideographs and pictures twice, tabs and signs by what is shown', () => {
    assert.deepEqual(['', 'abc', '中文', '\tx', '\u202e', '😀'].map(columns), [0, 3, 4, 5, 6, 3]);
    assert.ok(columns('x'.repeat(5_000)) < 2_100);
  });
});

describe('the words of a line without spaces', () => {
  it('are its characters, where the writing has none', () => {
    const { old, new: fresh } = wordMarks('这是一行很长的中文文字', '这是一行很长的英文文字');
    const marked = (pieces: typeof old) => pieces.filter(({ changed }) => changed).map(({ text }) => text);
    assert.deepEqual([marked(old), marked(fresh)], [['中'], ['英']]);
  });
});
