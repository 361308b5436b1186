import { isPicture } from './picture-size.ts';

/** What a content is, as far as its first bytes tell. */
export type ContentKind =
  | 'text'
  | 'utf-16le'
  | 'utf-16be'
  | 'document'
  | 'pdf'
  | 'picture'
  | 'other_picture'
  | 'legacy'
  | 'binary';

/** Bytes that are looked at. */
export const HEAD_BYTES = 8_000;

/** TIFF, and HEIC with its kin. */
const OTHER_PICTURES = /^(II\*\0|MM\0\*|[\s\S]{4}ftyp(hei[cxms]|hev[cx]|mif1|msf1))/;

/** Tells what a content is from its first bytes; its name does not count. */
export function contentKind(content: Uint8Array): ContentKind {
  const head = Buffer.from(content.subarray(0, HEAD_BYTES));
  const start = head.toString('latin1', 0, 1024);
  if (/^PK\x03\x04/.test(start) || start.startsWith('{\\rtf')) return 'document';
  // Some bytes before it are allowed, and happen.
  if (/^[^\0]{0,64}%PDF-\d/.test(start)) return 'pdf';
  if (isPicture(head)) return 'picture';
  if (OTHER_PICTURES.test(start)) return 'other_picture';
  // Office documents of before 2007, and newer ones that have a password.
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) return 'legacy';
  if (start.startsWith('\xff\xfe') && head.length % 2 === 0) return 'utf-16le';
  if (start.startsWith('\xfe\xff') && head.length % 2 === 0) return 'utf-16be';
  return head.includes(0) ? 'binary' : 'text';
}
