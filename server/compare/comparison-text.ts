import type {
  BlockDifference,
  Comparison,
  PictureDifference,
  SectionDifference,
  WordRun,
} from '../domain/comparison.ts';

/** A comparison as lines of text: a summary, then what changed, indented. What came is in {+ +}, what went in [- -]; of texts the summary only. */
export function comparisonText(comparison: Comparison): string {
  return [summaryOf(comparison), ...detailsOf(comparison)].map((line) => `${line}\n`).join('');
}

/** A comparison in a few words. */
export function summaryOf(comparison: Comparison): string {
  switch (comparison.kind) {
    case 'same':
      return 'the same';
    case 'text':
      return `lines +${comparison.additions} -${comparison.deletions}`;
    case 'document':
      return `${named(comparison.formats)}, ${counted(comparison)}`;
    case 'pdf':
      return `pdf, ${named({ before: count(comparison.pages.before, 'page'), after: count(comparison.pages.after, 'page') })}, ${counted(comparison)}`;
    case 'image': {
      const { before, after } = comparison.pictures;
      const facts = named({ before: before && sizeText(before), after: after && sizeText(after) });
      return comparison.difference === undefined ? facts : `${facts}, ${pictureText(comparison.difference)}`;
    }
    case 'binary': {
      const { before, after } = comparison.contents;
      const sizes = `${before?.size ?? 0} bytes before, ${after?.size ?? 0} after`;
      return [comparison.why, comparison.detail && plain(comparison.detail), sizes].filter(Boolean).join(', ');
    }
  }
}

type Counted = Extract<Comparison, { readonly kind: 'document' | 'pdf' }>;

function counted({ counts, ...rest }: Counted): string {
  const parts = (['changed', 'added', 'deleted'] as const).flatMap((name) =>
    counts[name] > 0 ? [`${counts[name]} ${name}`] : [],
  );
  const drawn = rest.kind === 'pdf' ? rest.pictures.length : 0;
  if (drawn > 0) parts.push(`${count(drawn, 'page')} with another look`);
  return parts.length > 0 ? parts.join(', ') : 'no text differs';
}

function detailsOf(comparison: Comparison): readonly string[] {
  if (comparison.kind === 'image') {
    const { not_compared } = comparison;
    return not_compared.length === 0 ? [] : [`  not compared: ${not_compared.join('; ')}`];
  }
  if (comparison.kind !== 'document' && comparison.kind !== 'pdf') return [];
  const pages = comparison.kind === 'pdf' ? comparison.pictures : [];
  const other = comparison.kind === 'document' ? comparison.other_parts : [];
  return [
    ...comparison.sections.flatMap(sectionLines),
    ...pages.map(({ page, only, difference }) =>
      difference === undefined ? `  Page ${page}: only ${only}` : `  Page ${page}: ${pictureText(difference)}`,
    ),
    ...(other.length > 0 ? [`  other parts that differ: ${other.map(plain).join(', ')}`] : []),
    `  not compared: ${comparison.not_compared.join('; ')}`,
  ];
}

function sectionLines({ name, change, number, blocks, left_out }: SectionDifference): readonly string[] {
  const was =
    number?.before !== undefined && number.after !== undefined && number.before !== number.after
      ? ` (was ${number.before})`
      : '';
  return [
    `  ${plain(name)}${was}${change === 'changed' ? '' : `: ${change}`}`,
    ...blocks.flatMap(blockLines),
    ...(left_out === undefined ? [] : [`    ${left_out} more that are not listed`]),
  ];
}

function blockLines({ at, style, change, words }: BlockDifference): readonly string[] {
  const place = change === 'same' ? [] : [`    ${plain(named(at))}${style === undefined ? '' : ` (${plain(style)})`}`];
  // The bar keeps what a document says from being taken for lines of a patch.
  return [
    ...place,
    ...words
      .map(wordText)
      .join('')
      .split('\n')
      .map((line) => `    | ${line}`),
  ];
}

function wordText({ change, text: given }: WordRun): string {
  const text = given.replace(CONTROLS, '\ufffd');
  return change === 'same' ? text : change === 'added' ? `{+${text}+}` : `[-${text}-]`;
}

/** A document may hold what steers a terminal, and names in it what looks like lines of ours. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
const plain = (text: string): string => text.replace(/\p{Cc}/gu, '\ufffd');

function pictureText({ changed_share, colour_change, hash_distance, padded }: PictureDifference): string {
  const shape = `shapes ${hash_distance}/64`;
  return `${percent(changed_share)} of the pixels changed, colours by ${percent(colour_change)}, ${shape}${padded ? ', sizes differ' : ''}`;
}

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.1 ? 2 : 0)} %`;
const sizeText = ({
  format,
  width,
  height,
}: {
  readonly format: string;
  readonly width: number;
  readonly height: number;
}): string => `${format} ${width}×${height}`;
const count = (number: number | undefined, noun: string): string | undefined =>
  number === undefined ? undefined : `${number} ${noun}${number === 1 ? '' : 's'}`;

function named({
  before,
  after,
}: {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}): string {
  return before === undefined || after === undefined || before === after
    ? (after ?? before ?? '')
    : `${before} → ${after}`;
}
