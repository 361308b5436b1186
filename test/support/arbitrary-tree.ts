import fc from 'fast-check';

/** A file or link of a generated tree; the path's characters are bytes (latin1). */
export interface GeneratedFile {
  readonly path: string;
  readonly mode: '100644' | '100755' | '120000';
  readonly content: Buffer;
}

const ODD_NAMES = [
  'a',
  'a.b',
  'a0',
  'b',
  '-dash',
  'new\nline',
  '"quote"',
  'tab\t',
  ' blank ',
  'x'.repeat(200),
  '\xff\xfe',
  'd\xe9j\xe0',
  '\xe6\x97\xa5',
  '.hidden',
  'A',
];

const name = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...ODD_NAMES) },
    {
      weight: 1,
      arbitrary: fc
        .uint8Array({ minLength: 1, maxLength: 12 })
        .map((bytes) => Buffer.from(bytes).toString('latin1').replaceAll(/[\0/]/g, '_')),
    },
  )
  .filter((text) => !/^(\.|\.\.|\.git|git~1)$/i.test(text) && !/^\.git/i.test(text));

const content = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  fc.constant(Buffer.from('line\r\nline\n')),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);

const file: fc.Arbitrary<GeneratedFile> = fc
  .record({
    segments: fc.array(name, { minLength: 1, maxLength: 4 }),
    mode: fc.constantFrom('100644', '100644', '100755', '120000'),
    content,
  })
  .map(({ segments, mode, content }) => ({
    path: segments.join('/'),
    mode,
    // A link's target can be neither empty nor hold a NUL.
    content:
      mode === '120000' ? Buffer.from(`to-${content.toString('latin1').replaceAll('\0', '_')}`, 'latin1') : content,
  }));

/** Generates the files of one tree: names of every kind, modes, links, empty files; no path is another's folder. */
export const generatedTree: fc.Arbitrary<readonly GeneratedFile[]> = fc.array(file, { maxLength: 25 }).map((files) => {
  const kept = new Map<string, GeneratedFile>();
  for (const candidate of files) {
    const clash = [...kept.keys()].some(
      (path) =>
        path === candidate.path || path.startsWith(`${candidate.path}/`) || candidate.path.startsWith(`${path}/`),
    );
    if (!clash) kept.set(candidate.path, candidate);
  }
  return [...kept.values()];
});
