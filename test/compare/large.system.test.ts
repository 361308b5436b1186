import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { after, test } from 'node:test';
import { changesOf } from '../support/documents/changes-of.ts';
import { docxFiles, docxOf } from '../support/documents/docx-of.ts';
import { pdfOf } from '../support/documents/pdf-of.ts';
import { zipOf } from '../support/documents/zip-of.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const comparer = plainComparer(folder.path);
after(() => folder.remove());

test('of a document of 100 MB, most of them a picture, the word that changed is the difference', async () => {
  const picture = { 'word/media/image1.png': randomFillSync(Buffer.alloc(100_000_000)) };
  const documentOf = (word: string) =>
    zipOf(docxFiles(['# A title', `One ${word} of many`], picture), { stored: true });
  const [old, now] = [documentOf('word'), documentOf('other')];
  assert.ok(old.length > 100_000_000);
  const { comparison } = await comparer.compare({ path: 'x.docx', before: async () => old, after: async () => now });
  assert.ok(comparison.kind === 'document', JSON.stringify(comparison));
  const changes = changesOf(comparison.sections);
  assert.equal(changes.length, 1, changes.join('\n'));
  assert.ok(changes[0]?.includes('{+other+}') && changes[0].includes('[-word-]'), changes[0]);
});

/** 500 pages of 40 lines; one word of one page differs. */
const pages = (word: string): readonly (readonly string[])[] =>
  Array.from({ length: 500 }, (_, page) =>
    Array.from(
      { length: 40 },
      (_, line) => `Page ${page}, line ${line}: ${page === 321 && line === 7 ? word : 'text'}`,
    ),
  );

test('of 500 pages of a Word file the word that changed is the difference', async () => {
  const documentOf = (word: string) => docxOf(pages(word).flat());
  const { comparison } = await comparer.compare({
    path: 'x.docx',
    before: async () => documentOf('before'),
    after: async () => documentOf('after'),
  });
  assert.ok(comparison.kind === 'document', JSON.stringify(comparison));
  const changes = changesOf(comparison.sections);
  assert.equal(changes.length, 1, changes.join('\n'));
  assert.match(changes[0] ?? '', /Page 321, line 7: \[-before-\]\{\+after\+\}/);
});

test('of 500 pages of a PDF the page and the word that changed are the difference', async () => {
  const { comparison } = await comparer.compare({
    path: 'x.pdf',
    before: async () => pdfOf(pages('before')),
    after: async () => pdfOf(pages('after')),
  });
  assert.ok(comparison.kind === 'pdf', JSON.stringify(comparison));
  const changes = changesOf(comparison.sections);
  assert.equal(changes.length, 1, changes.join('\n'));
  assert.match(changes[0] ?? '', /322.*Page 321, line 7: \[-before-\]\{\+after\+\}/s);
});
