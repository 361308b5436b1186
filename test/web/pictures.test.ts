import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WorkspaceDiff } from '../../server/web/api/types.ts';
import { layersOf, sizeOf } from '../../server/web/pictures/layers.ts';
import { shownPictures } from '../../server/web/pictures/shown-pictures.ts';

const DIFFERENCE = { changed_share: 0.5, colour_change: 0.1, hash_distance: 0, padded: false };
const FACTS = { format: 'png', width: 1, height: 1 } as const;

const fileOf = (path: string, comparison?: object) =>
  ({ path, change: 'modified', comparison }) as unknown as WorkspaceDiff['files'][number];

describe('pictures of a difference', () => {
  it('are images that both sides have, and pages that were compared as pictures', () => {
    const image = { kind: 'image', pictures: { before: FACTS, after: FACTS } };
    const files = [
      fileOf('text.txt', { kind: 'text' }),
      fileOf('none.bin'),
      fileOf('new.png', image),
      fileOf('changed.png', { ...image, difference: DIFFERENCE }),
      fileOf('scan.pdf', {
        kind: 'pdf',
        pictures: [
          { page: 2, difference: DIFFERENCE },
          { page: 3, only: 'after' },
        ],
      }),
    ];
    assert.deepEqual(
      shownPictures(files).map(({ file, page }) => [file.path, page]),
      [
        ['changed.png', undefined],
        ['scan.pdf', 2],
      ],
    );
  });

  it('are drawn beside each other, one wiped over the other, one through the other, or as what differs', () => {
    const drawn = (way: Parameters<typeof layersOf>[0], share: number) =>
      layersOf(way, share).map((layers) => layers.map(({ side, alpha, width }) => `${side} ${alpha} ${width}`));
    assert.deepEqual(drawn('beside', 0.2), [['before 1 1'], ['after 1 1']]);
    assert.deepEqual(drawn('swipe', 0.2), [['before 1 1', 'after 1 0.2']]);
    assert.deepEqual(drawn('onion', 0.2), [['before 1 1', 'after 0.2 1']]);
    assert.deepEqual(drawn('difference', 0.2), [['difference 1 1']]);
  });

  it('get room for the larger of two', () => {
    assert.deepEqual(
      sizeOf([
        { width: 3, height: 9 },
        { width: 5, height: 2 },
      ]),
      { width: 5, height: 9 },
    );
    assert.deepEqual(sizeOf([]), { width: 1, height: 1 });
  });
});
