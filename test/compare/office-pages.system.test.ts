import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { documentComparer } from '../../server/app-compare.ts';
import type { Comparer } from '../../server/compare/index.ts';
import { decodePicture } from '../../server/compare/reader/pictures/pixels.ts';
import { docxOf } from '../support/documents/docx-of.ts';
import { odfOf, page } from '../support/documents/odf-of.ts';
import { discOf } from '../support/documents/png-of.ts';
import { plainComparer } from '../support/plain-comparer.ts';
import { inTempFolder } from '../support/temp-folder.ts';

// Run by name: it needs LibreOffice.
const inSandbox = (use: (comparer: Comparer) => Promise<void>) =>
  inTempFolder(async (folder) => {
    const home = join(folder, 'home');
    mkdirSync(home);
    const path = process.env.PATH ?? '';
    await use(documentComparer({ sandbox: 'required', path, hidden: [home], folder: join(home, 'own') }));
  });
const deck = (word: string): Buffer => odfOf('presentation', page(['First']) + page([`Last ${word}`]));
/** Pixels that are neither white nor nearly. */
const marked = async (png: Buffer): Promise<number> => {
  const { data } = (await decodePicture(png)).pixels;
  return data.filter((value, at) => at % 4 === 1 && value < 200).length;
};

/** The share of the pixels that are black, of 1. */
const darkest = async (png: Buffer): Promise<number> => {
  const { data } = (await decodePicture(png)).pixels;
  return data.filter((value, at) => at % 4 === 1 && value < 40).length / (data.length / 4);
};

describe('slides and pages are drawn by LibreOffice, in the sandbox', () => {
  it('a page of a document is not blank', () =>
    inSandbox(async (comparer) => {
      const docx = docxOf(['Some words to look at', 'and more']);
      const png = await comparer.draw({ path: 'a.docx', after: async () => docx, show: 'after', page: 1 });
      assert.ok((await marked(png)) > 200);
    }));

  it('a slide that changed shows it, one that did not shows nothing, and there is no third', () =>
    inSandbox(async (comparer) => {
      const drawn = (number: number) =>
        comparer.draw({
          path: 'deck.odp',
          before: async () => deck('old'),
          after: async () => deck('new'),
          show: 'difference',
          page: number,
        });
      const red = async (png: Buffer) => {
        const { data } = (await decodePicture(png)).pixels;
        return data.filter((_, at) => at % 4 === 0 && data[at] === 255 && data[at + 1] === 0 && data[at + 2] === 0)
          .length;
      };
      assert.equal(await red(await drawn(1)), 0);
      assert.ok((await red(await drawn(2))) > 50);
      await assert.rejects(drawn(3), { code: 'not_found', message: /there is no page 3/ });
    }));

  it('a file or an address that a document names is on no page of it', () =>
    inSandbox(async (comparer) => {
      // Not among the temporary folders, which no confined program sees.
      const outside = mkdtempSync(join(import.meta.dirname, 'outside-'));
      try {
        const picture = join(outside, 'secret.png');
        writeFileSync(picture, discOf([0, 0, 0]));
        const image = (address: string) =>
          `<draw:frame svg:x="1cm" svg:y="1cm" svg:width="9cm" svg:height="9cm"><draw:image xlink:href="${address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>`;
        const field = `{\\field{\\*\\fldinst INCLUDEPICTURE "${picture}"}{\\fldrslt }}`;
        const documents = [
          odfOf('presentation', `<draw:page>${image(`file://${picture}`)}</draw:page>`),
          odfOf('text', `<text:p>${image(`file://${picture}`)}${image('http://127.0.0.1:9/x.png')}</text:p>`),
          Buffer.from(`{\\rtf1 ${field}\\par}`),
        ];
        const blank: number[] = [];
        for (const bytes of documents) {
          const png = await comparer.draw({ path: 'x', after: async () => bytes, show: 'after', page: 1 });
          // The frame of a picture that is missing has its address in it.
          blank.push(await darkest(png));
        }
        assert.ok(
          blank.every((share) => share < 0.02),
          blank.join(' '),
        );
      } finally {
        rmSync(outside, { recursive: true });
      }
    }));

  it('without the sandbox or the program it is said why there is none', () =>
    inTempFolder(async (folder) => {
      const draw = plainComparer(folder).draw({
        path: 'a.docx',
        after: async () => docxOf(['x']),
        show: 'after',
        page: 1,
      });
      await assert.rejects(draw, { code: 'not_found', message: /LibreOffice/ });
    }));
});
