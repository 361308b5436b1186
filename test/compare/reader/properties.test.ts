import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { documentDifference } from '../../../server/compare/reader/difference/document-difference.ts';
import { pageDifferences } from '../../../server/compare/reader/difference/page-differences.ts';
import type { Block } from '../../../server/compare/reader/documents/document.ts';
import { readDocument } from '../../../server/compare/reader/documents/read-document.ts';
import { UnreadError } from '../../../server/compare/unread-error.ts';
import { findingSchema } from '../../../server/domain/comparison.ts';
import { changesOf } from '../../support/documents/changes-of.ts';
import { beside, docxOf, table } from '../../support/documents/docx-of.ts';
import { cell, odfOf, p, page, row, sheet } from '../../support/documents/odf-of.ts';
import { pptxOf } from '../../support/documents/pptx-of.ts';
import { type Sheets, xlsxOf } from '../../support/documents/xlsx-of.ts';
import { zipOf } from '../../support/documents/zip-of.ts';
import { readZip } from '../../support/read-zip.ts';

const runs = (many: number) => ({ numRuns: Number(process.env.RUNS ?? many) });
const RTF =
  "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset134 A;}}\\f0 a\\'d4\\'f6\\u8364?b\\par{\\footnote c}\\cell\\bin3 xyz}";
/** One of each format, with most of what the readers know. */
const DOCUMENTS: Readonly<Record<string, Buffer>> = {
  docx: docxOf(
    [
      '# Heading',
      '- item',
      table([
        ['a', 'b'],
        ['c', 'd'],
      ]),
    ],
    { 'word/footnotes.xml': beside('footnotes', 'note'), 'word/header1.xml': beside('hdr', 'head') },
    ['http://x.example/'],
  ),
  pptx: pptxOf([{ title: 'One', texts: ['first'], notes: 'say' }, { title: 'Two' }]),
  xlsx: xlsxOf(
    {
      Data: [
        ['a', 1, '=A1 → 2'],
        [true, '@45000'],
      ],
      More: [['b']],
    },
    { merged: ['A1:B2'] },
  ),
  odt: odfOf(
    'text',
    `${p('a<text:s text:c="3"/>b')}<text:h text:outline-level="1">h</text:h>${sheet('T', [row(['x'])])}`,
  ),
  odp: odfOf('presentation', page(['Hello'], 'notes') + page(['Bye'])),
  ods: odfOf(
    'spreadsheet',
    sheet('S', [row([cell('', 'table:number-columns-repeated="3"'), 'x'], 'table:number-rows-repeated="2"')]),
  ),
  rtf: Buffer.from(RTF, 'latin1'),
};

/** A piece of a text taken out, put in again elsewhere, or replaced. */
const damage = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  size: fc.nat(40),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  put: fc.constantFrom('', '<', '</', '&', '"', '\\', '{', '}', '999999999999', '-1', '<w:p>', '\u0000', '𝄞'),
});

function damaged(
  text: string,
  { from, size, to, put }: { readonly from: number; readonly size: number; readonly to: number; readonly put: string },
): string {
  const [cut, at] = [Math.floor(from * text.length), Math.floor(to * text.length)];
  const piece = text.slice(cut, cut + size);
  const without = text.slice(0, cut) + text.slice(cut + size);
  return without.slice(0, at) + put + piece + without.slice(at);
}

describe('a document of each format', () => {
  for (const [format, bytes] of Object.entries(DOCUMENTS)) {
    it(`${format}: does not differ from itself, and is all new beside nothing`, () => {
      const text = readDocument(bytes);
      assert.equal(text.format, format);
      assert.deepEqual(documentDifference(text, text).sections, []);
      const added = documentDifference(undefined, text);
      assert.ok(added.counts.added > 0 && added.counts.changed + added.counts.deleted === 0);
      assert.ok(added.sections.every(({ change }) => change === 'added'));
      assert.deepEqual(findingSchema.parse(added), added);
    });

    it(`${format}: damaged anywhere, is read or refused with a reason, and compared by the schema`, () => {
      const whole = readDocument(bytes);
      const files =
        format === 'rtf'
          ? { rtf: bytes }
          : Object.fromEntries(readZip(bytes).map(({ name, content }) => [name.toString(), content]));
      const part = fc.constantFrom(...Object.keys(files).filter((name) => name !== 'mimetype'));
      fc.assert(
        fc.property(part, fc.array(damage, { minLength: 1, maxLength: 3 }), (name, damages) => {
          const text = damages.reduce(damaged, String(files[name]));
          const other =
            format === 'rtf' ? Buffer.from(`{\\rtf${text.slice(5)}`, 'latin1') : zipOf({ ...files, [name]: text });
          try {
            const found = documentDifference(whole, readDocument(other));
            findingSchema.parse(JSON.parse(JSON.stringify(found)));
          } catch (error) {
            assert.ok(error instanceof UnreadError, String(error instanceof Error ? error.stack : error));
          }
        }),
        runs(150),
      );
    });
  }
});

describe('paragraphs', () => {
  const words = fc.array(fc.constantFrom('red', 'blue', 'fox', '收入', 'of', 'x'), { minLength: 1, maxLength: 6 });
  const paragraphs = fc.array(
    words.map((list) => list.join(' ')),
    { minLength: 1, maxLength: 8 },
  );

  it('of both sides are all in the difference of any two documents, each once', () => {
    fc.assert(
      fc.property(paragraphs, paragraphs, (before, after) => {
        const { sections, counts } = documentDifference(readDocument(docxOf(before)), readDocument(docxOf(after)));
        const blocks = sections.flatMap((section) => section.blocks);
        const [gone, come] = [counts.deleted, counts.added];
        assert.equal(come - gone, after.length - before.length);
        const skipped = blocks.reduce((sum, block) => sum + (block.skipped ?? 0), 0);
        assert.ok(blocks.length + skipped <= before.length + come);
        for (const { change, words: runsOf } of blocks)
          assert.ok(change === 'same' || runsOf.some((run) => run.change !== 'same'));
      }),
      runs(150),
    );
  });
});

describe('cells', () => {
  it('a cell that is another one is the only difference, wherever it is', () => {
    const rows = fc.array(fc.array(fc.nat(1e6), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(2), (before, at, column) => {
        const line = at % before.length;
        const after = before.map((one, i) => (i === line ? one.with(column, -1) : one));
        const sheets = (data: readonly (readonly number[])[]): Sheets => ({ Data: data });
        const { sections } = documentDifference(
          readDocument(xlsxOf(sheets(before))),
          readDocument(xlsxOf(sheets(after))),
        );
        const name = `${'ABC'[column]}${line + 1}`;
        assert.deepEqual(
          changesOf(sections).map((change) => change.split(':')[0]),
          [`Data, ${name}`],
        );
      }),
      runs(100),
    );
  });
});

describe('pages', () => {
  const flow = fc.array(fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'), {
    minLength: 1,
    maxLength: 60,
  });
  /** Words in paragraphs of so many, so many of these on a page. */
  const laidOut = (words: readonly string[], perBlock: number, perPage: number): readonly Block[] =>
    Array.from({ length: Math.ceil(words.length / perBlock) }, (_, i) => ({
      text: words.slice(i * perBlock, (i + 1) * perBlock).join(' '),
      at: `page ${Math.floor(i / perPage) + 1}`,
    }));

  it('the same words, broken anywhere else into lines and pages, are no difference', () => {
    fc.assert(
      fc.property(
        flow,
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 4 }),
        (words, one, other, perPage) => {
          const found = pageDifferences(laidOut(words, one, perPage), laidOut(words, other, perPage + 1));
          const blocks = found.flatMap((section) => section.blocks).flatMap((block) => block.words);
          const kept = (without: string) =>
            blocks
              .filter(({ change }) => change !== without)
              .map(({ text }) => text)
              .join('')
              .replace(/\s/g, '');
          // Where words repeat, another one of them may be taken for the one that stayed; the texts are still the same.
          assert.equal(kept('added').length, kept('deleted').length);
        },
      ),
      runs(150),
    );
  });

  it('a word that is new among words that are each there once is the only one that came', () => {
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`);
    fc.assert(
      fc.property(fc.nat(40), fc.integer({ min: 2, max: 9 }), (at, perBlock) => {
        const after = words.toSpliced(at, 0, 'new');
        const found = pageDifferences(laidOut(words, perBlock, 3), laidOut(after, perBlock, 3));
        const changed = found
          .flatMap((section) => section.blocks)
          .flatMap((block) => block.words)
          .filter(({ change }) => change !== 'same');
        assert.deepEqual(
          changed.map(({ change, text }) => [change, text.trim()]),
          [['added', 'new']],
        );
      }),
      runs(60),
    );
  });
});
