import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { comparisonText, summaryOf } from '../../server/compare/comparison-text.ts';
import { contentKind } from '../../server/compare/content-kind.ts';
import { pictureFacts } from '../../server/compare/picture-size.ts';
import { readerCode } from '../../server/compare/reader-code.ts';
import { type Confinement, readUnder, runReader } from '../../server/compare/reader-process.ts';
import { slots } from '../../server/compare/slots.ts';
import { takeContent } from '../../server/compare/take-content.ts';
import { UnreadError } from '../../server/compare/unread-error.ts';
import { type Comparison, comparisonSchema } from '../../server/domain/comparison.ts';
import { docxOf } from '../support/documents/docx-of.ts';
import { odfOf, p } from '../support/documents/odf-of.ts';
import { pdfOf } from '../support/documents/pdf-of.ts';
import { discOf } from '../support/documents/png-of.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the kind of a content', () => {
  const KINDS = [
    ['a text', latin1('hello\n'), 'text'],
    ['nothing', latin1(''), 'text'],
    ['text in any encoding without zeros', latin1('caf\xe9'), 'text'],
    ['a zero among the first bytes', latin1('a\0b'), 'binary'],
    ['UTF-16 with its mark', Buffer.from('\ufeffhello', 'utf16le'), 'utf-16le'],
    ['UTF-16 the other way round', Buffer.from('\ufeffhello', 'utf16le').swap16(), 'utf-16be'],
    ['a docx', docxOf(['x']), 'document'],
    ['an odt', odfOf('text', p('x')), 'document'],
    ['rich text', latin1('{\\rtf1 x}'), 'document'],
    ['any other zip, until it is looked into', latin1('PK\x03\x04'), 'document'],
    ['a PDF', pdfOf([['x']]), 'pdf'],
    ['a PDF behind some bytes', latin1('\r\n\r\n%PDF-1.4\0'), 'pdf'],
    ['a text about PDFs', latin1(`${'x'.repeat(100)} %PDF-1.4`), 'text'],
    ['a PNG', discOf([1, 2, 3]), 'picture'],
    ['a JPEG', latin1('\xff\xd8\xff\xe0'), 'picture'],
    ['a TIFF', latin1('II*\0\x08\0\0\0'), 'other_picture'],
    ['a HEIC', latin1('\0\0\0\x18ftypheic\0\0\0\0'), 'other_picture'],
    ['an SVG, which is a text', latin1('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text'],
    ['a text that begins like a BMP', latin1('BMW, Audi and others make cars in this country.'), 'text'],
    ['an old office file', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0'), 'legacy'],
  ] as const;
  for (const [name, content, kind] of KINDS) it(`is ${kind}: ${name}`, () => assert.equal(contentKind(content), kind));
});

describe('a picture tells its size', () => {
  it('and one that is cut off does not', () => {
    for (const start of [
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff\xe0',
      'GIF89a',
      'RIFF\0\0\0\0WEBPVP8X',
      '\0\0\0\x20ftypavif',
    ]) {
      assert.throws(() => pictureFacts(latin1(start)), UnreadError, JSON.stringify(start));
    }
  });

  it('by the first frame of a JPEG, behind other segments', () => {
    const jpeg = latin1('\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc4\x00\x02\xff\xc2\x00\x0b\x08\x01\x02\x03\x04');
    assert.deepEqual(pictureFacts(jpeg), { format: 'jpeg', width: 0x0304, height: 0x0102 });
  });

  it('in each form of WebP', () => {
    const lossless = latin1('RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x2b\xc0\x0a\x00');
    assert.deepEqual(pictureFacts(lossless), { format: 'webp', width: 44, height: 44 });
    const extended = latin1('RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x0f\0\0\x1f\0\0');
    assert.deepEqual(pictureFacts(extended), { format: 'webp', width: 16, height: 32 });
  });

  it('never loops or throws anything else, whatever follows its first bytes', () => {
    const start = fc.constantFrom(
      '\x89PNG\r\n\x1a\n',
      '\xff\xd8\xff',
      'GIF89a',
      'RIFF\0\0\0\0WEBP',
      'BM',
      '\0\0\0\x20ftypavif',
    );
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (magic, rest) => {
        try {
          assert.ok(pictureFacts(Buffer.concat([latin1(magic), rest])).width > 0);
        } catch (error) {
          assert.ok(error instanceof UnreadError, String(error));
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a content is gone through once', () => {
  const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
  async function* pieces(bytes: Buffer, size: number) {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it('a text stays in memory, whole or in pieces, and nothing is written', async () => {
    await inTempFolder(async (folder) => {
      const bytes = Buffer.from('line\n'.repeat(5000));
      for (const content of [bytes, pieces(bytes, 7), pieces(bytes, 9001)]) {
        const taken = await takeContent(content, async () => join(folder, 'f'));
        assert.deepEqual(
          [taken.kind, taken.side, taken.kept],
          ['text', { size: bytes.length, sha256: sha(bytes) }, false],
        );
        assert.deepEqual(taken.bytes, bytes);
      }
      assert.equal(existsSync(join(folder, 'f')), false);
    });
  });

  it('a document is written as it comes', async () => {
    await inTempFolder(async (folder) => {
      const bytes = docxOf(Array.from({ length: 3000 }, (_, i) => `${i} ${Math.sin(i)}`));
      for (const size of [1, 100, 8000, 1 << 20]) {
        const file = join(folder, `f${size}`);
        const taken = await takeContent(pieces(bytes, size), async () => file);
        assert.deepEqual([taken.kind, taken.kept, taken.bytes], ['document', true, undefined]);
        assert.deepEqual(readFileSync(file), bytes);
      }
    });
  });

  it('of what is too large only size and hash are kept', async () => {
    await inTempFolder(async (folder) => {
      const text = Buffer.alloc(3 << 20, 'x');
      const taken = await takeContent(pieces(text, 1 << 16), async () => join(folder, 'f'));
      assert.deepEqual([taken.bytes, taken.side.sha256], [undefined, sha(text)]);
      async function* endless() {
        yield pdfOf([['x']]);
        for (let i = 0; i < 130; i++) yield Buffer.alloc(1 << 20);
      }
      const pdf = await takeContent(endless(), async () => join(folder, 'g'));
      assert.deepEqual([pdf.kind, pdf.kept, pdf.side.size > 130 << 20], ['pdf', false, true]);
    });
  });

  it('what breaks off while it comes is thrown on', async () => {
    await inTempFolder(async (folder) => {
      async function* broken() {
        yield pdfOf([['x']]);
        throw new Error('the disk is gone');
      }
      await assert.rejects(
        takeContent(broken(), async () => join(folder, 'f')),
        /the disk is gone/,
      );
    });
  });
});

describe('work in slots', () => {
  it('is done so many at once, all of it, in order, also where some fails', async () => {
    const inSlot = slots(2);
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
    const all = gates.map(({ promise }, i) =>
      inSlot(async () => {
        begun.push(i);
        most = Math.max(most, ++running);
        await promise;
        running--;
        if (i === 1) throw new Error('one fails');
        return i;
      }),
    );
    const settled = Promise.allSettled(all);
    for (const gate of gates) {
      await new Promise(setImmediate);
      gate.resolve();
    }
    const ended = await settled;
    assert.deepEqual([most, begun], [2, [0, 1, 2, 3, 4, 5]]);
    assert.deepEqual(
      ended.map(({ status }) => status === 'fulfilled'),
      [true, false, true, true, true, true],
    );
  });
});

describe('the process of a reader', () => {
  const plain = (confine: Confinement['confine']): Confinement => ({
    layers: [],
    path: process.env.PATH ?? '',
    confine,
  });
  const request = { task: 'compare', kind: 'document' } as const;
  const run = (script: string, timeout_ms = 60_000) =>
    inTempFolder((folder) =>
      runReader({ request, folder, timeout_ms, sandbox: plain(() => ['/bin/sh', '-c', script]) }),
    );

  it('gives what it wrote', async () => assert.equal(String(await run('echo answer')), 'answer\n'));

  it('that ends badly is told with what it said, and no place of ours', async () => {
    const said =
      'echo "node:internal/x:1" >&2; echo "TypeError: odd document" >&2; echo "    at /srv/secret.ts:1" >&2; exit 1';
    await assert.rejects(run(said), (error) => {
      assert.ok(error instanceof UnreadError && error.why === 'crashed');
      return /odd document$/.test(error.message) && !/srv/.test(error.message);
    });
    await assert.rejects(run('kill -9 $$'), { why: 'crashed', message: /SIGKILL/ });
  });

  it('that has no memory left, takes too long or never stops talking is told so', async () => {
    await assert.rejects(run('echo "FATAL ERROR: JavaScript heap out of memory" >&2; kill -6 $$'), { why: 'memory' });
    await assert.rejects(run('sleep 60', 50), { why: 'timeout' });
    await assert.rejects(
      run('while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done'),
      { why: 'too_different' },
    );
  });

  it('really has no more memory than it may', async () => {
    await inTempFolder(async (folder) => {
      const greedy = 'const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1));';
      // The limits of the real call, around another program.
      const confine: Confinement['confine'] = ({ argv }) => [
        ...argv.slice(0, argv.indexOf(process.execPath) + 1),
        '-e',
        greedy,
      ];
      await assert.rejects(runReader({ request, folder, timeout_ms: 60_000, sandbox: plain(confine) }), (error) => {
        return error instanceof UnreadError && (error.why === 'memory' || error.why === 'crashed');
      });
    });
  });

  it('says what holds it', () => {
    const layers = ['environment', 'git-shim', 'bubblewrap'];
    assert.deepEqual(readUnder({ ...plain(({ argv }) => argv), layers }), [
      'process',
      'limits',
      'permissions',
      'bubblewrap',
    ]);
  });

  it('is made of files that are there', () => {
    const { main, readable } = readerCode();
    for (const path of [main, ...readable]) assert.ok(existsSync(path), path);
    assert.ok(readable.some((path) => main.startsWith(path)));
  });
});

describe('a comparison as text', () => {
  const contents = { before: { size: 10, sha256: 'a' }, after: { size: 20, sha256: 'b' } };
  const TEXTS: readonly (readonly [Comparison, string])[] = [
    [{ kind: 'same', contents }, 'the same\n'],
    [{ kind: 'text', contents, additions: 3, deletions: 1 }, 'lines +3 -1\n'],
    [
      { kind: 'binary', contents, why: 'damaged', detail: 'no \u001b[2J\n+ x' },
      'damaged, no \ufffd[2J\ufffd+ x, 10 bytes before, 20 after\n',
    ],
    [{ kind: 'binary', contents, why: 'damaged', detail: 'cut off' }, 'damaged, cut off, 10 bytes before, 20 after\n'],
    [
      {
        kind: 'image',
        contents,
        pictures: { after: { format: 'png', width: 3, height: 4 } },
        not_compared: [],
        read_under: [],
      },
      'png 3×4\n',
    ],
    [
      {
        kind: 'document',
        contents,
        read_under: [],
        formats: { before: 'odt', after: 'docx' },
        counts: { added: 1, deleted: 0, changed: 0 },
        not_compared: ['formatting'],
        other_parts: ['word/styles.xml'],
        sections: [
          { kind: 'slide', name: 'Slide 2', number: { before: 1, after: 2 }, change: 'moved', blocks: [] },
          {
            kind: 'body',
            name: 'Body',
            change: 'changed',
            left_out: 7,
            blocks: [
              { change: 'same', at: {}, words: [{ change: 'same', text: 'around' }] },
              {
                change: 'added',
                at: { after: 'B7' },
                style: 'table cell',
                words: [{ change: 'added', text: 'two\nlines' }],
              },
            ],
          },
        ],
      },
      'odt → docx, 1 added\n  Slide 2 (was 1): moved\n  Body\n    | around\n    B7 (table cell)\n    | {+two\n    | lines+}\n    7 more that are not listed\n  other parts that differ: word/styles.xml\n  not compared: formatting\n',
    ],
    [
      {
        kind: 'pdf',
        contents,
        read_under: [],
        pages: { before: 1, after: 2 },
        counts: { added: 0, deleted: 0, changed: 0 },
        sections: [],
        not_compared: ['forms'],
        pictures: [
          { page: 1, difference: { changed_share: 0.25, colour_change: 0.01, hash_distance: 3, padded: true } },
          { page: 2, only: 'after' },
        ],
      },
      'pdf, 1 page → 2 pages, 2 pages with another look\n  Page 1: 25 % of the pixels changed, colours by 1.00 %, shapes 3/64, sizes differ\n  Page 2: only after\n  not compared: forms\n',
    ],
  ];
  for (const [comparison, text] of TEXTS) {
    it(`of ${comparison.kind}: a summary, then what changed`, () => {
      assert.equal(comparisonText(comparison), text);
      assert.ok(text.startsWith(`${summaryOf(comparison)}\n`));
      assert.deepEqual(comparisonSchema.parse(comparison), comparison);
    });
  }
});
