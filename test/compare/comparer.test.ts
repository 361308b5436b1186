import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { comparisonText, openComparer } from '../../server/compare/index.ts';
import { changesOf } from '../support/documents/changes-of.ts';
import { docxFiles, docxOf } from '../support/documents/docx-of.ts';
import { hostileDocuments } from '../support/documents/hostile.ts';
import { pdfOf } from '../support/documents/pdf-of.ts';
import { discOf } from '../support/documents/png-of.ts';
import { zipOf } from '../support/documents/zip-of.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { tempFolder } from '../support/temp-folder.ts';

describe('two contents are compared by what they are', () => {
  const folder = tempFolder();
  after(() => folder.remove());
  const comparer = plainComparer(folder.path);
  const opened = (content: Buffer | string | undefined) => async () =>
    typeof content === 'string' ? Buffer.from(content) : content;
  const compare = (before: Buffer | string | undefined, after: Buffer | string | undefined, more = {}) =>
    comparer.compare({ path: 'a.bin', before: opened(before), after: opened(after), ...more });

  it('a document, whatever its name, in a process with bounds of its own', async () => {
    const { comparison, patch } = await compare(docxOf(['a brown fox']), docxOf(['a red fox']));
    assert.ok(comparison.kind === 'document');
    assert.deepEqual(changesOf(comparison.sections), ['Body, paragraph 1: a [-brown-]{+red+} fox']);
    assert.deepEqual(comparison.read_under, ['process', 'limits', 'permissions']);
    assert.equal(patch, undefined);
    assert.match(
      comparisonText(comparison),
      /^docx, 1 changed\n {2}Body\n {4}paragraph 1\n {4}\| a \[-brown-\]\{\+red\+\} fox\n/,
    );
  });

  it('a PDF and a picture', async () => {
    const pdf = (await compare(pdfOf([['old words']]), pdfOf([['new words']]))).comparison;
    assert.ok(pdf.kind === 'pdf');
    assert.deepEqual(changesOf(pdf.sections), ['Page 1, page 1: [-old-]{+new+} words']);
    const image = (await compare(discOf([255, 0, 0]), discOf([0, 0, 255]))).comparison;
    assert.ok(image.kind === 'image' && image.difference !== undefined);
    assert.equal(image.difference.hash_distance, 0);
    assert.deepEqual(image.pictures.after, { format: 'png', width: 100, height: 100 });
    assert.match(
      comparisonText(image),
      /^png 100×100, 50 % of the pixels changed, colours by 33 %, shapes 0\/64\n {2}not compared: metadata/,
    );
  });

  it('a text by lines, and UTF-16 as text too', async () => {
    const text = await compare('a\nb\n', 'a\nc\n');
    assert.deepEqual(
      [text.comparison.kind, String(text.patch)],
      ['text', '--- a/a.bin\n+++ b/a.bin\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n'],
    );
    const wide = (word: string) => Buffer.from(`\ufeff${word}\n`, 'utf16le');
    const { comparison, patch } = await compare(wide('ä'), wide('ö'));
    assert.ok(comparison.kind === 'text' && comparison.encoding === 'utf-16le');
    assert.match(String(patch), /-ä\n\+ö\n/);
  });

  it('what is no document by size and hash, with the reason', async () => {
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    assert.deepEqual((await compare('\0a', '\0bc')).comparison, {
      kind: 'binary',
      why: 'binary',
      contents: { before: { size: 2, sha256: sha('\0a') }, after: { size: 3, sha256: sha('\0bc') } },
    });
    const reasons = [
      await compare(docxOf(['x']), 'a text'),
      await compare(docxOf(['x']), pdfOf([['x']])),
      await compare('x', `${'y'.repeat(3 << 20)}`),
      await compare(docxOf(['x']), docxOf(['x']).subarray(0, 200)),
      await compare('II*\0a', 'II*\0b'),
    ].map(({ comparison }) => comparison.kind === 'binary' && comparison.why);
    assert.deepEqual(reasons, ['kinds_differ', 'kinds_differ', 'too_large', 'damaged', 'unsupported']);
  });

  it('the same bytes are the same, without anything being read', async () => {
    const { comparison } = await compare(docxOf(['x']), docxOf(['x']));
    assert.equal(comparison.kind, 'same');
  });

  it('one side that is absent or empty leaves the other as new or gone', async () => {
    for (const nothing of [undefined, '']) {
      const { comparison } = await compare(nothing, docxOf(['new words']));
      assert.ok(comparison.kind === 'document');
      assert.deepEqual(changesOf(comparison.sections), ['Body, paragraph 1: {+new words+}']);
    }
  });

  it('a document in 100 MiB that come in pieces', async () => {
    // With a picture that is as large, and is not made smaller.
    const picture = { 'word/media/image1.png': Buffer.alloc(100 << 20, 7) };
    const large = (word: string) => zipOf(docxFiles([word], picture), { stored: true });
    async function* inPieces(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at += 1 << 20) yield bytes.subarray(at, at + (1 << 20));
    }
    const { comparison } = await comparer.compare({
      path: 'large.docx',
      before: async () => inPieces(large('one')),
      after: async () => inPieces(large('two')),
    });
    assert.ok(comparison.kind === 'document');
    assert.deepEqual(changesOf(comparison.sections), ['Body, paragraph 1: [-one-]{+two+}']);
  });

  it('however many are asked for, only a few have their documents on the disk', async () => {
    let most = 0;
    const own = join(folder.path, 'few');
    const few = openComparer({
      folder: own,
      sandbox: async () => ({
        layers: [],
        path: '/usr/bin:/bin',
        confine: () => {
          // What is being removed has a second name, with a dot.
          most = Math.max(most, readdirSync(own).filter((name) => !name.includes('.')).length);
          return ['/bin/sh', '-c', 'exit 1'];
        },
      }),
    });
    const sides = { path: 'a', before: opened(docxOf(['a'])), after: opened(docxOf(['b'])) };
    await Promise.all(Array.from({ length: 12 }, () => few.compare(sides)));
    assert.ok(most >= 2 && most <= 4, `${most} folders`);
    assert.deepEqual(readdirSync(own), []);
  });

  it('what a reader said before it failed counts, and nothing that is cut off', async () => {
    const finding = {
      kind: 'pdf',
      pages: {},
      sections: [],
      counts: { added: 0, deleted: 0, changed: 1 },
      pictures: [],
    };
    const line = JSON.stringify({ ...finding, not_compared: ['1 pages as pictures'] });
    const comparerThat = (script: string) =>
      openComparer({
        folder: join(folder.path, 'compare'),
        sandbox: async () => ({ layers: [], path: '/usr/bin:/bin', confine: () => ['/bin/sh', '-c', script] }),
      });
    const sides = { path: 'a.pdf', before: opened(pdfOf([['a']])), after: opened(pdfOf([['b']])) };
    const whole = await comparerThat(`echo '${line}'; printf '{"kind":'; kill -9 $$`).compare(sides);
    assert.ok(whole.comparison.kind === 'pdf' && whole.comparison.counts.changed === 1);
    const cut = await comparerThat(`printf '{"kind":'; kill -9 $$`).compare(sides);
    assert.ok(cut.comparison.kind === 'binary' && cut.comparison.why === 'crashed');
  });

  it('a reader that takes too long is ended, and it says so', async () => {
    const paragraphs = Array.from({ length: 20_000 }, (_, i) => `paragraph ${i}`);
    const { comparison } = await compare(docxOf(paragraphs), docxOf([...paragraphs, 'more']), { timeout_ms: 1 });
    assert.ok(comparison.kind === 'binary' && comparison.why === 'timeout', JSON.stringify(comparison).slice(0, 300));
  });

  it('whoever asked can stop it', async () => {
    const stop = new AbortController();
    const asked = compare(docxOf(['a']), docxOf(['b']), { signal: stop.signal });
    stop.abort(new Error('enough'));
    await assert.rejects(asked, /enough/);
  });

  it('a document that says what steers a terminal, or looks like a patch, does neither', async () => {
    const { comparison } = await compare(docxOf(['x']), docxOf(['--- a/x', '+++ b/x', '@@ -0,0 +1 @@', 'x\u009b31m']));
    const text = comparisonText(comparison);
    assert.doesNotMatch(text, /^\s*(---|\+\+\+|@@)/m);
    assert.doesNotMatch(text, /\u009b/);
  });

  it('a picture of a page, of a picture and of how they differ is a PNG', async () => {
    const draw = (
      before: Buffer | undefined,
      after: Buffer | undefined,
      show: 'before' | 'after' | 'difference',
      page = 1,
    ) => comparer.draw({ path: 'p', before: opened(before), after: opened(after), show, page });
    const pages = [pdfOf([['one'], ['two']]), pdfOf([['one'], ['six']])] as const;
    for (const png of [
      await draw(...pages, 'before', 2),
      await draw(...pages, 'difference', 2),
      await draw(undefined, discOf([1, 2, 3]), 'after'),
    ]) {
      assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
    }
    await assert.rejects(draw(...pages, 'after', 3), { code: 'not_found' });
    await assert.rejects(draw(undefined, pages[0], 'before'), { code: 'not_found' });
    await assert.rejects(draw(Buffer.from('text'), Buffer.from('other'), 'difference'), { code: 'not_found' });
  });

  it('a page that was made to do harm is drawn, or refused', async () => {
    for (const { name, make } of hostileDocuments({ address: 'http://127.0.0.1:9', secret: '/nowhere' })) {
      if (!/drawing|page of|page unpacks/.test(name)) continue;
      const drawn = comparer.draw({
        path: name,
        before: async () => undefined,
        after: async () => make(),
        show: 'after',
        page: 1,
      });
      await drawn.then(
        (png) => assert.equal(png.toString('latin1', 1, 4), 'PNG'),
        (error) => assert.equal(error.code, 'not_found'),
      );
    }
  });

  it('what a killed server left is removed, and what is read now is not', async () => {
    const [old, now] = ['read-old', 'read-now'].map((name) => join(folder.path, 'compare', name)) as [string, string];
    for (const path of [old, now]) mkdirSync(join(path, 'office-before'), { recursive: true });
    utimesSync(old, 1, 1);
    await compare(docxOf(['a']), docxOf(['b']));
    assert.deepEqual([existsSync(old), existsSync(now)], [false, true]);
    assert.deepEqual(readdirSync(join(folder.path, 'compare')), ['read-now']);
  });

  it('nothing is started, and no bounds are asked for, where no document is compared', async () => {
    const lazy = openComparer({ folder: join(folder.path, 'lazy'), sandbox: () => Promise.reject(new Error('asked')) });
    const text = lazy.compare({ path: 'a', before: opened('a'), after: opened('b') });
    assert.equal((await text).comparison.kind, 'text');
    assert.equal(existsSync(join(folder.path, 'lazy')), false);
    await assert.rejects(
      lazy.compare({ path: 'a', before: opened(docxOf(['a'])), after: opened(docxOf(['b'])) }),
      /asked/,
    );
  });
});
