import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import type { Oid } from '../../../server/domain/ids.ts';
import { ForeignPacks } from '../../../server/git/objects/foreign-packs.ts';
import { hashObject } from '../../../server/git/objects/object-id.ts';
import { openObjectStore } from '../../../server/git/objects/object-store.ts';
import { openObjectWriter } from '../../../server/git/objects/object-writer.ts';
import { rawGit } from '../../support/raw-git-latin1.ts';
import { inTempFolder } from '../../support/temp-folder.ts';

const CONTENTS = Array.from({ length: 40 }, (_, i) =>
  Buffer.from(`${i} ${hashObject('blob', Buffer.from([i]))}\n`.repeat(i + 2)),
);
const oidOf = (content: Buffer): Oid => hashObject('blob', content);

/** A repository of somebody's with all contents in one pack, none as a difference unless `depth` is over 0. */
function packed(folder: string, contents: readonly Buffer[], depth = 0): string {
  const root = join(folder, 'theirs');
  mkdirSync(root);
  rawGit(root, ['init', '-q']);
  for (const [i, content] of contents.entries()) writeFileSync(join(root, `f${i}`), content);
  rawGit(root, ['add', '-A']);
  rawGit(root, ['-c', 'user.name=x', '-c', 'user.email=x@example.org', 'commit', '-q', '-m', 'x']);
  rawGit(root, ['repack', '-a', '-d', '-f', '-q', `--depth=${depth}`]);
  return join(root, '.git/objects');
}

test('contents that stand whole in somebody’s pack are given as they stand there', () =>
  inTempFolder(async (folder) => {
    const packs = new ForeignPacks([packed(folder, CONTENTS)]);
    for (const content of CONTENTS) {
      const deflated = packs.deflated(oidOf(content), content);
      assert.ok(deflated !== undefined && inflateSync(deflated).equals(content));
    }
    assert.equal(packs.deflated(oidOf(Buffer.from('unknown')), Buffer.from('unknown')), undefined);
    packs.close();
  }));

test('what a pack holds under a name is not taken for another content', () =>
  inTempFolder(async (folder) => {
    const packs = new ForeignPacks([packed(folder, CONTENTS)]);
    const [one = Buffer.alloc(0)] = CONTENTS;
    const other = Buffer.from(one);
    other[0] = (other[0] ?? 0) ^ 1;
    assert.equal(packs.deflated(oidOf(one), other), undefined);
    assert.equal(packs.deflated(oidOf(one), Buffer.concat([one, one])), undefined);
    assert.equal(packs.deflated(oidOf(one), one.subarray(1)), undefined);
    packs.close();
  }));

test('differences are passed over', () =>
  inTempFolder(async (folder) => {
    const base = CONTENTS.map((content) => content.toString()).join('');
    const alike = Array.from({ length: 6 }, (_, i) => Buffer.from(`${base}${i}\n`));
    const packs = new ForeignPacks([packed(folder, alike, 50)]);
    const given = alike.filter((content) => packs.deflated(oidOf(content), content) !== undefined);
    assert.ok(given.length < alike.length);
    packs.close();
  }));

test('packs that are damaged, cut, links or folders are passed over', () =>
  inTempFolder(async (folder) => {
    const objects = packed(folder, CONTENTS);
    const pack = join(objects, 'pack');
    const name = (end: string): string => join(pack, readdirSync(pack).find((one) => one.endsWith(end)) ?? '');
    const bytes = readFileSync(name('.pack'));
    const [one = Buffer.alloc(0)] = CONTENTS;
    const found = (): boolean => {
      const packs = new ForeignPacks([objects, join(folder, 'nowhere')]);
      const deflated = CONTENTS.map((content) => packs.deflated(oidOf(content), content));
      packs.close();
      return deflated.some((data, i) => data !== undefined && inflateSync(data).equals(CONTENTS[i] ?? one));
    };
    assert.ok(found());
    renameSync(name('.pack'), join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'elsewhere'), name('.idx').replace(/idx$/, 'pack'));
    assert.ok(!found());
    renameSync(name('.pack'), join(folder, 'link'));
    mkdirSync(name('.idx').replace(/idx$/, 'pack'));
    assert.ok(!found());
    renameSync(name('.pack'), join(folder, 'folder'));
    writeFileSync(name('.idx').replace(/idx$/, 'pack'), bytes.subarray(0, 20));
    assert.ok(!found());
    writeFileSync(name('.idx').replace(/idx$/, 'pack'), bytes.fill(0xff, 12));
    assert.ok(!found());
    const index = name('.idx');
    renameSync(index, join(folder, 'index'));
    writeFileSync(index, 'no index');
    assert.ok(!found());
  }));

test('a writer puts given streams into its pack, and git reads the contents', () =>
  inTempFolder(async (folder) => {
    const packs = new ForeignPacks([packed(folder, CONTENTS.slice(0, 20))]);
    const ours = join(folder, 'ours');
    rawGit(folder, ['init', '-q', '--bare', ours]);
    const writer = openObjectWriter(openObjectStore(join(ours, 'objects')), { durable: true, packs });
    for (const content of CONTENTS) writer.write('blob', content);
    await writer.finish();
    packs.close();
    assert.equal(
      rawGit(ours, ['fsck', '--full', '--strict'])
        .replace(/^(notice|dangling|missing) .*\n/gm, '')
        .trim(),
      '',
    );
    for (const content of CONTENTS) {
      assert.equal(rawGit(ours, ['cat-file', 'blob', oidOf(content)]), content.toString('latin1'));
    }
  }));
