import { z } from 'zod';

/** How two contents of one file differ: what the reader of documents answers, and what is told over HTTP. */

export const DOCUMENT_FORMATS = ['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods', 'rtf'] as const;
export const PICTURE_FORMATS = ['png', 'jpeg', 'gif', 'webp', 'bmp', 'avif'] as const;
/** Why two contents are told by size and hash only. */
export const UNREAD_REASONS = [
  'binary',
  'crashed',
  'damaged',
  'encrypted',
  'kinds_differ',
  'legacy_format',
  'memory',
  'timeout',
  'too_deep',
  'too_different',
  'too_large',
  'too_many',
  'unsupported',
] as const;
export type UnreadReason = (typeof UNREAD_REASONS)[number];
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

const wordRun = z
  .object({ change: z.enum(['same', 'added', 'deleted']), text: z.string() })
  .meta({ id: 'WordRun', description: 'Words in a row that stayed, came or went' });

const block = z
  .object({
    change: z.enum(['same', 'added', 'deleted', 'changed']),
    style: z.string().optional().meta({ description: 'What it is: `heading 1`, `list item`, `table cell`, `notes` …' }),
    at: z
      .object({ before: z.string().optional(), after: z.string().optional() })
      .meta({ description: 'Where it is on either side: `paragraph 12`, `table 1, B2`, `B7`, `page 3`' }),
    words: z.array(wordRun).readonly(),
    skipped: z.int().optional().meta({ description: 'Unchanged blocks before it that are not listed' }),
  })
  .meta({ id: 'BlockDifference', description: 'A paragraph, cell or line of a document' });

const section = z
  .object({
    kind: z.enum([
      'body',
      'header',
      'footer',
      'footnotes',
      'comments',
      'slide',
      'sheet',
      'page',
      'charts',
      'fields',
      'attachments',
      'pictures',
      'links',
    ]),
    name: z.string(),
    number: z
      .object({ before: z.int().optional(), after: z.int().optional() })
      .optional()
      .meta({ description: 'Of a slide or page, from 1' }),
    change: z.enum(['added', 'deleted', 'changed', 'moved']),
    blocks: z.array(block).readonly(),
    left_out: z.int().optional().meta({ description: 'Blocks beyond the limit that are not listed' }),
  })
  .meta({
    id: 'SectionDifference',
    description: 'A part of a document that differs, with a block of context each side',
  });

const content = z.object({ size: z.int(), sha256: z.string() }).meta({ id: 'ContentSide' });
const contents = { before: content.optional(), after: content.optional() };
const counts = z.object({ added: z.int(), deleted: z.int(), changed: z.int() });

export const pictureDifference = z
  .object({
    changed_share: z
      .number()
      .meta({ description: 'Of the pixels, 0 to 1; where one picture is larger, what it has more counts' }),
    colour_change: z
      .number()
      .meta({ description: 'Mean over all pixels of the mean change of red, green and blue, 0 to 1' }),
    hash_distance: z
      .int()
      .meta({ description: 'Bits in which the perceptual hashes differ, 0 to 64; blind to colour' }),
    padded: z.boolean().meta({ description: 'The sizes differ: the smaller was padded at the right and below' }),
  })
  .meta({ id: 'PictureDifference' });

const pageDifference = z
  .object({ page: z.int(), only: z.enum(['before', 'after']).optional(), difference: pictureDifference.optional() })
  .meta({ id: 'PageDifference', description: 'A page that was compared as a picture; `only` where one side has it' });

const pictureFacts = z
  .object({ format: z.enum(PICTURE_FORMATS), width: z.int(), height: z.int() })
  .meta({ id: 'PictureFacts' });

const read = {
  not_compared: z.array(z.string()).readonly().meta({ description: 'What was not looked at' }),
};
const structured = {
  sections: z.array(section).readonly(),
  counts: counts.meta({ description: 'Blocks' }),
  ...read,
};

/** What the reader of documents finds out; it is untrusted until it was parsed by this. */
export const findingSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('document'),
    formats: z.object({ before: z.enum(DOCUMENT_FORMATS).optional(), after: z.enum(DOCUMENT_FORMATS).optional() }),
    ...structured,
    other_parts: z.array(z.string()).readonly().meta({
      description: 'Parts of the file that differ and are not among what was compared: formatting, settings …',
    }),
  }),
  z.object({
    kind: z.literal('pdf'),
    pages: z.object({ before: z.int().optional(), after: z.int().optional() }),
    ...structured,
    pictures: z.array(pageDifference).readonly(),
  }),
  z.object({
    kind: z.literal('image'),
    pictures: z.object({ before: pictureFacts.optional(), after: pictureFacts.optional() }),
    difference: pictureDifference.optional(),
    ...read,
  }),
  z.object({ kind: z.literal('binary'), why: z.enum(UNREAD_REASONS), detail: z.string().optional() }),
]);

const [documentFinding, pdfFinding, imageFinding, binaryFinding] = findingSchema.options;
const limits = z
  .array(z.string())
  .readonly()
  .meta({ description: 'What held the program that read it: `process`, `limits`, `permissions`, `bubblewrap`' });

/** How two contents of one file differ. `contents` has no side where the file is new, or gone. */
export const comparisonSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('same'), contents: z.object(contents) }),
    z.object({
      kind: z.literal('text'),
      contents: z.object(contents),
      additions: z.int().meta({ description: 'Lines' }),
      deletions: z.int(),
      encoding: z
        .enum(['utf-16le', 'utf-16be'])
        .optional()
        .meta({ description: 'Where it was made UTF-8 to be shown' }),
    }),
    documentFinding.extend({ contents: z.object(contents), read_under: limits }),
    pdfFinding.extend({ contents: z.object(contents), read_under: limits }),
    imageFinding.extend({ contents: z.object(contents), read_under: limits }),
    binaryFinding.extend({ contents: z.object(contents), read_under: limits.optional() }),
  ])
  .meta({ id: 'Comparison', description: 'How two contents of one file differ, by what they are' });

export type Finding = z.infer<typeof findingSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
export type ContentSide = z.infer<typeof content>;
export type WordRun = z.infer<typeof wordRun>;
export type BlockDifference = z.infer<typeof block>;
export type SectionDifference = z.infer<typeof section>;
export type PictureDifference = z.infer<typeof pictureDifference>;
export type PageDifference = z.infer<typeof pageDifference>;
export type PictureFacts = z.infer<typeof pictureFacts>;
