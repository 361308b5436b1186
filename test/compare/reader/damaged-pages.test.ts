import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { openPdf } from '../../../server/compare/reader/pdf/open-pdf.ts';
import { pagePicture } from '../../../server/compare/reader/pdf/page-picture.ts';
import { pdfText } from '../../../server/compare/reader/pdf/page-text.ts';
import { hashDistance, perceptualHash } from '../../../server/compare/reader/pictures/perceptual-hash.ts';
import { pictureDifference } from '../../../server/compare/reader/pictures/picture-difference.ts';
import { decodePicture, encodePicture, type Pixels } from '../../../server/compare/reader/pictures/pixels.ts';
import { UnreadError } from '../../../server/compare/unread-error.ts';
import { pdfOf } from '../../support/documents/pdf-of.ts';
import { discOf, pngOf } from '../../support/documents/png-of.ts';

const runs = (many: number) => ({ numRuns: Number(process.env.RUNS ?? many) });
const refusedOnly = async (work: () => Promise<unknown>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof UnreadError, String(error instanceof Error ? error.stack : error));
  }
};

describe('a PDF', () => {
  const text = async (bytes: Buffer) =>
    (await pdfText(await openPdf(bytes))).map((block) => `${block.at}: ${block.text}`);

  it('gives its paragraphs by page, lines joined, and a word that was broken at a hyphen', async () => {
    const pages = [['one line', 'and its next-', 'to-last word', '', 'another paragraph'], [], ['last page']];
    assert.deepEqual(await text(pdfOf(pages)), [
      'page 1: one line and its next-to-last word',
      'page 1: another paragraph',
      'page 3: last page',
    ]);
  });

  it('with packed streams is read as well', async () => {
    const content = deflateSync(Buffer.from('BT /F1 12 Tf 72 700 Td (packed words) Tj ET'));
    const stream = `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content.toString('latin1')}\nendstream`;
    assert.deepEqual(await text(pdfOf(['%'], { objects: { 4: stream } })), ['page 1: packed words']);
  });

  it('has signs that stand for themselves, and letters beyond ASCII', async () => {
    assert.deepEqual(await text(pdfOf([['(a) \\ caf\xe9']])), ['page 1: (a) \\ café']);
  });

  it('damaged anywhere is read and drawn, or refused with a reason', async () => {
    const whole = pdfOf([['some words', '', 'and more'], '1 0 0 rg 10 10 99 99 re f']);
    const place = fc.nat(whole.length - 1);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 20 }),
        fc.option(place),
        (bytes, cut) => {
          const damaged = Buffer.from(whole.subarray(0, cut ?? whole.length));
          for (const [at, byte] of bytes) if (at < damaged.length) damaged[at] = byte;
          return refusedOnly(async () => {
            const pdf = await openPdf(damaged);
            await pdfText(pdf);
            await pagePicture(pdf, { page: 1, side: 60 });
          });
        },
      ),
      runs(40),
    );
  });

  it('is drawn so large as is asked, whatever its size is', async () => {
    for (const [size, width, height] of [
      ['[0 0 612 792]', 77, 100],
      ['[0 0 1000 10]', 100, 1],
      ['[0 0 1000000000 1]', 100, 1],
      ['[0 0 0.001 0.001]', 100, 100],
    ] as const) {
      const picture = await pagePicture(await openPdf(pdfOf([['x']], { pageSize: size })), { page: 1, side: 100 });
      assert.deepEqual([picture.width, picture.height], [width, height], size);
    }
  });

  it('that turns its page is drawn as it is to be looked at', async () => {
    const picture = await pagePicture(await openPdf(pdfOf([['x']], { page: '/Rotate 90' })), { page: 1, side: 792 });
    assert.deepEqual([picture.width, picture.height], [792, 612]);
  });

  it('has no page beyond its last', async () => {
    const pdf = await openPdf(pdfOf([['x']]));
    await assert.rejects(pagePicture(pdf, { page: 2, side: 10 }), /there is no page 2: the PDF has 1/);
  });
});

describe('pixels', () => {
  const random = (seed: number, size = 24): Buffer => {
    let state = seed + 1;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state & 255;
    };
    return pngOf(size, size, () => [next(), next(), next()]);
  };

  it('come back from a PNG as they went in', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), async (seed) => {
        const { pixels } = await decodePicture(random(seed));
        const again = (await decodePicture(encodePicture(pixels))).pixels;
        assert.deepEqual(again, pixels);
      }),
      runs(10),
    );
  });

  it('that are transparent stand on white', async () => {
    const clear: Pixels = { width: 2, height: 2, data: new Uint8ClampedArray(16), transparent: true };
    const { pixels } = await decodePicture(encodePicture(clear));
    assert.deepEqual(
      [...pixels.data],
      Array.from({ length: 16 }, () => 255),
    );
  });

  it('are told apart the same way round and the other, and not at all from themselves', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.nat(1000), async (one, other) => {
        const [a, b] = [(await decodePicture(random(one))).pixels, (await decodePicture(random(other))).pixels];
        const [there, back, self] = [pictureDifference(a, b), pictureDifference(b, a), pictureDifference(a, a)];
        assert.equal(there.hash_distance, back.hash_distance);
        assert.ok(Math.abs(there.colour_change - back.colour_change) < 1e-9);
        assert.deepEqual([self.changed_share, self.colour_change, self.hash_distance], [0, 0, 0]);
        for (const { changed_share, colour_change } of [there, back]) {
          assert.ok(changed_share >= 0 && changed_share <= 1 && colour_change >= 0 && colour_change <= 1);
        }
      }),
      runs(10),
    );
  });

  it('have nearly the same hash in another size, lighter, or a little blurred', async () => {
    const scene = (light: number, size: number) =>
      pngOf(size, size, (x, y) => {
        const on = Math.hypot(x / size - 0.3, y / size - 0.4) < 0.2 || (x / size > 0.6 && y / size > 0.5);
        const grey = Math.min(255, (on ? 40 : 180) + light);
        return [grey, grey, grey];
      });
    const hash = async (bytes: Buffer) => perceptualHash((await decodePicture(bytes)).pixels);
    const plain = await hash(scene(0, 120));
    assert.ok(hashDistance(plain, await hash(scene(0, 240))) <= 8);
    assert.ok(hashDistance(plain, await hash(scene(40, 120))) <= 8);
    assert.ok(hashDistance(plain, await hash(discOf([0, 0, 0]))) > 8);
  });

  it('of pictures that cannot be are refused', async () => {
    for (const bytes of [
      Buffer.from('no picture'),
      Buffer.from('GIF89a\x05\0\x05\0', 'latin1'),
      discOf([1, 2, 3]).subarray(0, 40),
    ]) {
      await assert.rejects(decodePicture(bytes), UnreadError);
    }
  });
});
