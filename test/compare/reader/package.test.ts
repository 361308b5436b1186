import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readXml } from '../../../server/compare/reader/package/read-xml.ts';
import { relationshipsOf } from '../../../server/compare/reader/package/relationships.ts';
import { ZipPackage } from '../../../server/compare/reader/package/zip-package.ts';
import { UnreadError } from '../../../server/compare/unread-error.ts';
import { relationships } from '../../support/documents/xml.ts';
import { zipOf } from '../../support/documents/zip-of.ts';

const refuses = (why: string, work: () => unknown): void =>
  assert.throws(work, (error) => error instanceof UnreadError && error.why === why);

describe('a package', () => {
  it('gives the contents of its parts, packed or stored', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1 }), fc.uint8Array(), { maxKeys: 5 }),
        fc.boolean(),
        (files, stored) => {
          const zip = new ZipPackage(zipOf(files, { stored }));
          assert.deepEqual([...zip.parts.keys()].sort(), Object.keys(files).sort());
          for (const [name, content] of Object.entries(files)) assert.deepEqual(zip.read(name), Buffer.from(content));
        },
      ),
    );
  });

  it('has nothing under a name that is not in it', () => {
    assert.equal(new ZipPackage(zipOf({ a: 'x' })).read('b'), undefined);
  });

  it('is read behind other bytes only where its directory says where it is', () => {
    refuses('damaged', () => new ZipPackage(Buffer.from('no zip at all, and long enough to have an end')));
    refuses('damaged', () => new ZipPackage(Buffer.concat([Buffer.alloc(100), zipOf({ a: 'x' })])).read('a'));
  });

  it('never unpacks more than it may, whatever the directory says', () => {
    const large = Buffer.alloc(70 << 20);
    const zip = new ZipPackage(zipOf({ a: large, b: large }, { size: 1 }));
    assert.equal(zip.read('a')?.length, large.length);
    refuses('too_large', () => zip.read('b'));
  });

  it('takes sizes and place from the ZIP64 field where the directory leaves them to it', () => {
    const content = Buffer.from('wide');
    const plain = zipOf({ a: content }, { stored: true });
    const at = plain.indexOf('PK\x01\x02', 0, 'latin1');
    const entry = Buffer.from(plain.subarray(at, at + 47));
    for (const offset of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, offset);
    const extra = Buffer.alloc(28);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(content.length), 4);
    extra.writeBigUInt64LE(BigInt(content.length), 12);
    extra.writeBigUInt64LE(0n, 20);
    entry.writeUInt16LE(extra.length, 30);
    const end = Buffer.from(plain.subarray(plain.length - 22));
    const zip = new ZipPackage(Buffer.concat([plain.subarray(0, at), entry, extra, end]));
    assert.deepEqual(zip.read('a'), content);
  });

  it('that lies about sums, ways of packing or places is refused', () => {
    refuses('damaged', () => new ZipPackage(zipOf({ a: 'x' }, { sum: 7 })).read('a'));
    refuses('unsupported', () => new ZipPackage(zipOf({ a: 'x' }, { method: 12 })).read('a'));
    refuses('encrypted', () => new ZipPackage(zipOf({ a: 'x' }, { encrypted: true })).read('a'));
    refuses('damaged', () => new ZipPackage(zipOf({ a: 'x' }, { method: 0 })).read('a'));
  });

  it('with a byte that is another one is read, or refused for a reason, and never anything else', () => {
    const zip = zipOf({ 'a.xml': '<a>text</a>', b: 'x'.repeat(100) });
    fc.assert(
      fc.property(fc.nat(zip.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Buffer.from(zip);
        bytes[at] = byte;
        try {
          const found = new ZipPackage(bytes);
          for (const name of found.parts.keys()) found.read(name);
        } catch (error) {
          assert.ok(error instanceof UnreadError || error instanceof RangeError, String(error));
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('XML of a package', () => {
  const read = (text: string | Uint8Array, skip?: ReadonlySet<string>): string => {
    const seen: string[] = [];
    readXml(Buffer.from(text), 'x.xml', {
      ...(skip && { skip }),
      open: ({ name, attribute }) => seen.push(`<${name} ${attribute('id')}>`),
      close: (name) => seen.push(`</${name}>`),
      text: (piece) => seen.push(piece),
    });
    return seen.join('');
  };

  it('comes by local names, with attributes by theirs', () => {
    assert.equal(read('<w:a w:id="1" xmlns:w="urn:x">t</w:a>'), '<a 1>t</a>');
    assert.equal(read('<a id="2"/>'), '<a 2></a>');
  });

  it('passes over what is skipped, with all in it', () => {
    assert.equal(read('<a>x<b>y<b>z</b></b>w</a>', new Set(['b'])), '<a >xw</a>');
  });

  it('is read in UTF-8 and in both orders of UTF-16', () => {
    const text = '<a>漢字 é</a>';
    const little = Buffer.from(`\ufeff${text}`, 'utf16le');
    for (const bytes of [Buffer.from(text), little, Buffer.from(little).swap16()])
      assert.equal(read(bytes), '<a >漢字 é</a>');
  });

  it('is not harmed by characters at the edges of its pieces', () => {
    const text = '漢'.repeat(50_000);
    assert.equal(read(`<a>${text}</a>`), `<a >${text}</a>`);
  });

  it('that is not well-formed, nested too deep or uses an entity is refused', () => {
    for (const bad of [
      '<a>',
      '<a></b>',
      'text',
      '',
      '<a>&own;</a>',
      '<!DOCTYPE a [<!ENTITY own "x">]><a>&own;</a>',
      '<a b="1" b="2"/>',
    ]) {
      refuses('damaged', () => read(bad));
    }
    refuses('too_deep', () => read('<a>'.repeat(500)));
  });
});

describe('what a part refers to', () => {
  const zip = new ZipPackage(
    zipOf({
      '_rels/.rels': relationships(['r1 officeDocument word/document.xml']),
      'word/_rels/document.xml.rels': relationships([
        'a header ../up.xml',
        'b image /word/media/x.png',
        'c hyperlink http://x.example/ External',
        'd odd ../../../../etc/passwd',
      ]),
    }),
  );

  it('is told by id, with names of parts, and addresses as they are', () => {
    assert.equal(relationshipsOf(zip, '').get('r1')?.target, 'word/document.xml');
    const found = relationshipsOf(zip, 'word/document.xml');
    assert.deepEqual(found.get('a'), { type: 'header', target: 'up.xml', external: false });
    assert.equal(found.get('b')?.target, 'word/media/x.png');
    assert.deepEqual(found.get('c'), { type: 'hyperlink', target: 'http://x.example/', external: true });
    assert.equal(zip.read(found.get('d')?.target ?? ''), undefined);
  });

  it('is nothing for a part without', () => assert.equal(relationshipsOf(zip, 'word/other.xml').size, 0));
});
