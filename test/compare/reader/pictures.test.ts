import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCanvas } from '@napi-rs/canvas';
import { pictureFacts } from '../../../server/compare/picture-size.ts';
import { pictureDifference } from '../../../server/compare/reader/pictures/picture-difference.ts';
import { decodePicture, encodePicture } from '../../../server/compare/reader/pictures/pixels.ts';
import { discOf, pngOf } from '../../support/documents/png-of.ts';

const difference = async (before: Buffer, after: Buffer) =>
  pictureDifference((await decodePicture(before)).pixels, (await decodePicture(after)).pixels);
const near = (found: number, wanted: number, slack: number) => assert.ok(Math.abs(found - wanted) <= slack, `${found}`);

test('a red disc that turns blue: the shapes are the same, pixels and colours tell it', async () => {
  const found = await difference(discOf([220, 0, 0]), discOf([0, 0, 220]));
  assert.equal(found.hash_distance, 0);
  near(found.changed_share, (Math.PI * 40 ** 2) / 100 ** 2, 0.02);
  near(found.colour_change, (found.changed_share * 2 * 220) / (3 * 255), 0.02);
  assert.equal(found.padded, false);
});

test('another picture is far in shapes too', async () => {
  const stripes = pngOf(100, 100, (x) => (x % 20 < 10 ? [0, 0, 0] : [255, 255, 255]));
  assert.ok((await difference(discOf([0, 0, 0]), stripes)).hash_distance > 10);
});

test('the same pixels in other bytes differ in nothing', async () => {
  const one = discOf([9, 99, 199]);
  const other = encodePicture((await decodePicture(one)).pixels);
  assert.notDeepEqual(one, other);
  const { picture: _, ...found } = await difference(one, other);
  assert.deepEqual(found, { changed_share: 0, colour_change: 0, hash_distance: 0, padded: false });
});

test('of pictures of different sizes the smaller is padded, and what only one has counts as changed', async () => {
  const white = (width: number, height: number) => pngOf(width, height, () => [255, 255, 255]);
  const { picture, ...found } = await difference(white(50, 100), white(100, 100));
  near(found.changed_share, 0.5, 0.001);
  assert.deepEqual([found.padded, found.colour_change, picture.width, picture.height], [true, 0, 100, 100]);
  const red = (x: number) => [...picture.data.subarray((50 * 100 + x) * 4, (50 * 100 + x) * 4 + 3)];
  assert.deepEqual([red(99), red(10)[1] === 0], [[255, 0, 0], false]);
});

test('the picture of the difference shows what changed in red', async () => {
  const after = pngOf(100, 100, (x, y) => (x === 70 && y >= 20 && y < 80 ? [0, 0, 0] : [255, 255, 255]));
  const { picture } = await difference(
    pngOf(100, 100, () => [255, 255, 255]),
    after,
  );
  assert.deepEqual([...picture.data.subarray((50 * 100 + 70) * 4, (50 * 100 + 70) * 4 + 3)], [255, 0, 0]);
});

test('PNG, JPEG, WebP, AVIF, GIF and BMP tell their sizes and are decoded', async () => {
  const canvas = createCanvas(60, 40);
  const context = canvas.getContext('2d');
  context.fillStyle = '#0a0';
  context.fillRect(0, 0, 60, 40);
  const made = {
    png: canvas.toBuffer('image/png'),
    jpeg: canvas.toBuffer('image/jpeg'),
    webp: canvas.toBuffer('image/webp'),
    avif: canvas.toBuffer('image/avif'),
    gif: Buffer.from(
      'R0lGODlhPAAoAIAAAACqAP///ywAAAAAPAAoAAACNoSPqcvtD6OctNqLs968+w+G4kiW5omm6sq27gvH8kzX9o3n+s73/g8MCofEovGITCqXzKZTVgAAOw==',
      'base64',
    ),
    bmp: bmpOf(60, 40, [0, 170, 0]),
  };
  for (const [format, bytes] of Object.entries(made)) {
    assert.deepEqual(pictureFacts(bytes), { format, width: 60, height: 40 });
    const { pixels } = await decodePicture(bytes);
    const [red = 255, green = 0, blue = 255] = pixels.data.subarray((20 * 60 + 5) * 4);
    assert.ok(red < 10 && Math.abs(green - 170) < 6 && blue < 10, `${format}: ${red} ${green} ${blue}`);
  }
});

function bmpOf(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const bytes = Buffer.alloc(54 + width * height * 4);
  bytes.write('BM', 0, 'latin1');
  bytes.writeUInt32LE(bytes.length, 2);
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(32, 28);
  for (let at = 54; at < bytes.length; at += 4) bytes.set([blue, green, red, 255], at);
  return bytes;
}

test('what is white on nothing is seen, and nothing that shines through is a difference by itself', async () => {
  const logo = (width: number) => {
    const canvas = createCanvas(100, 100);
    const context = canvas.getContext('2d');
    context.fillStyle = 'white';
    context.fillRect(10, 10, width, 40);
    return canvas.toBuffer('image/png');
  };
  const [narrow, wide] = [await decodePicture(logo(40)), await decodePicture(logo(80))];
  const { changed_share, colour_change } = pictureDifference(narrow.pixels, wide.pixels);
  assert.ok(Math.abs(changed_share - 0.16) < 0.01 && colour_change > 0.1, `${changed_share} ${colour_change}`);
  assert.equal(pictureDifference(narrow.pixels, (await decodePicture(logo(40))).pixels).changed_share, 0);
  const drawn = await decodePicture(encodePicture(narrow.pixels));
  assert.ok(!drawn.pixels.transparent);
});

test('two pictures that are large one beside the other are refused, and none of their size is made', () => {
  const line = (width: number, height: number) => ({ width, height, data: new Uint8ClampedArray(width * height * 4) });
  assert.throws(() => pictureDifference(line(20_000, 1), line(1, 20_000)), { why: 'too_large' });
});
