import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentComparer } from '../../server/app-compare.ts';
import type { Comparer } from '../../server/compare/index.ts';
import { docxOf } from '../../test/support/documents/docx-of.ts';
import { pdfOf } from '../../test/support/documents/pdf-of.ts';
import { pngOf } from '../../test/support/documents/png-of.ts';
import { peakMemory } from './compare/peak-memory.ts';
import { limitRow, median, type Row, timed } from './rows.ts';

const ROUNDS = 5;
const PAGES = 100;
/** As many as fill a page: paragraphs of five lines of twelve words. */
const PARAGRAPHS = 9;
const WORDS = 'the report says that revenue of this quarter grew by more than anybody had thought'.split(' ');

/** How long a difference of a document of 100 pages takes, from two contents in memory to an answer, and how much memory its reader has at most. */
export async function benchCompare(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-bench-compare-'));
  const comparer = documentComparer({ sandbox: 'auto', path: process.env.PATH ?? '', hidden: [], folder });
  try {
    const { docx, pdf, image } = pairs();
    return [
      ...(await measured('docx of 100 pages', comparer, docx, { ms: 3_000, mib: 300 })),
      ...(await measured('pdf of 100 pages', comparer, pdf, { ms: 3_000, mib: 300 })),
      ...(await measured('pictures of 2 megapixels', comparer, image, { ms: 3_000, mib: 300 })),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Pair = readonly [before: Buffer, after: Buffer];

function pairs(): { readonly docx: Pair; readonly pdf: Pair; readonly image: Pair } {
  const pages = (edit: (page: number, paragraph: number) => string) =>
    Array.from({ length: PAGES }, (_, page) =>
      Array.from(
        { length: PARAGRAPHS },
        (_, at) => `Paragraph ${page}.${at}: ${sentence(page * 31 + at)} ${edit(page, at)}.`,
      ),
    );
  const before = pages(() => 'as it was');
  // A word in every tenth paragraph, and a page that comes between the others.
  const after = pages((page, at) => ((page * PARAGRAPHS + at) % 10 === 0 ? 'as it is' : 'as it was')).toSpliced(50, 0, [
    'A page that is new.',
  ]);
  const lines = (texts: readonly (readonly string[])[]) =>
    texts.map((page) => page.flatMap((text) => [...wrapped(text), '']));
  const photo = (shift: number) => pngOf(1600, 1250, (x, y) => [(x + shift) % 256, y % 256, (x * y) % 256]);
  return {
    docx: [docxOf(before.flat()), docxOf(after.flat())],
    pdf: [pdfOf(lines(before)), pdfOf(lines(after))],
    image: [photo(0), photo(40)],
  };
}

const sentence = (seed: number): string =>
  Array.from({ length: 55 }, (_, i) => WORDS[(seed * 7 + i * (1 + (seed % 5))) % WORDS.length]).join(' ');

const wrapped = (text: string): readonly string[] => text.match(/.{1,85}(\s|$)/g) ?? [];

async function measured(
  name: string,
  comparer: Comparer,
  [before, after]: Pair,
  limit: { readonly ms: number; readonly mib: number },
): Promise<readonly Row[]> {
  const took: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const peak = peakMemory();
    const ms = await timed(async () => {
      const { comparison } = await comparer.compare({
        path: name,
        before: async () => before,
        after: async () => after,
      });
      if (comparison.kind === 'binary') throw new Error(`${name}: ${comparison.why} ${comparison.detail}`);
    });
    memory.push(peak.end());
    if (round > 0) took.push(ms);
  }
  return [
    limitRow(`${name}, ms`, { ours: median(took), limit: limit.ms }),
    limitRow(`${name}, MiB of its reader at most`, { ours: Math.max(...memory), limit: limit.mib }),
  ];
}
