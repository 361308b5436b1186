import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Oid } from '../../server/domain/ids.ts';
import type { Point } from '../../server/domain/point.ts';
import { PointCache } from '../../server/workspace/point-cache.ts';
import { inTempFolder } from '../support/temp-folder.ts';

/** As much of a point as a cache looks at. */
const point = (n: number): Point => ({ commit: String(n).repeat(40) as Oid, seq: n }) as unknown as Point;

test('what was noted is known at the next start, but for a line that was cut', () =>
  inTempFolder((folder) => {
    const path = join(folder, 'points.ndjson');
    new PointCache(folder).note([point(1)]);
    new PointCache(folder).note([point(2), point(3)]);
    const again = new PointCache(folder);
    assert.deepEqual(
      [1, 2, 3, 4].map((n) => again.get(point(n).commit)?.seq),
      [1, 2, 3, undefined],
    );
    truncateSync(path, readFileSync(path).length - 5);
    const cut = new PointCache(folder);
    assert.deepEqual([cut.size, cut.get(point(3).commit)], [2, undefined]);
    // The next line is glued to the part: neither is known, and both are read from the points.
    cut.note([point(4)]);
    assert.equal(new PointCache(folder).size, 2);
  }));

test('what is gone is forgotten in memory and in the file', () =>
  inTempFolder((folder) => {
    const cache = new PointCache(folder);
    cache.note([point(1), point(2)]);
    cache.keepOnly([point(2)]);
    for (const known of [cache, new PointCache(folder)]) {
      assert.deepEqual([known.size, known.get(point(1).commit)], [1, undefined]);
    }
  }));
