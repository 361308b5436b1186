import { posix } from 'node:path';
import type { ZipPackage } from '../package/zip-package.ts';
import type { Block, Section } from './document.ts';

const PICTURE = /(^|\/)(media|pictures)\/[^/]+$/i;

/** Names of a package's files, each with what tells its content apart. */
export function partsOf(zip: ZipPackage): ReadonlyMap<string, string> {
  return new Map([...zip.parts.values()].map(({ name, size, crc }) => [name, `${size} ${crc}`]));
}

/** The pictures in a package, by name, size and sum: not their pixels. */
export function pictureSection(zip: ZipPackage): Section {
  const pictures = [...zip.parts.values()].filter(({ name }) => PICTURE.test(name));
  const blocks = pictures.map(({ name, size, crc }): Block => {
    const sum = crc.toString(16).padStart(8, '0');
    return { text: `${posix.basename(name)} ${size} bytes ${sum}`, at: posix.basename(name) };
  });
  return { kind: 'pictures', name: 'Pictures', blocks };
}

/** Addresses that a document refers to; none is opened. */
export function linkSection(addresses: Iterable<string>): Section {
  const blocks = [...new Set(addresses)].sort().map((text): Block => ({ text: text.slice(0, 2000), at: 'links' }));
  return { kind: 'links', name: 'Links', blocks };
}

/** Names in the order of the numbers in them. */
export function byNumber(names: Iterable<string>): readonly string[] {
  return [...names].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
