/** What the reader takes from one document; what has more is told by size and hash. */
export const LIMITS = {
  /** Bytes that all parts of a package may unpack to. */
  unpacked: 128 << 20,
  /** Files in a package. */
  parts: 20_000,
  /** Elements or groups within each other. */
  depth: 400,
  /** Paragraphs, cells or lines. */
  blocks: 400_000,
  /** Characters of text. */
  characters: 32 << 20,
  /** Pages of a PDF whose text is read, in all. */
  pages: 2_000,
  /** Pages that are compared as pictures. */
  pictured_pages: 20,
  /** Pixels of a picture. */
  pixels: 40_000_000,
} as const;

/** What is given out; what is beyond is counted. */
export const OUTPUT = { blocks: 2_000, characters: 1 << 20, parts: 100 } as const;
