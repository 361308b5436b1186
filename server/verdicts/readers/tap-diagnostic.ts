interface TapDiagnostic {
  /** Top-level scalars of the YAML block; blocks of text are whole, nested values are left out. */
  readonly fields: ReadonlyMap<string, string>;
  /** Index of the block's last line; of the line before where there is no block. */
  readonly last: number;
}

/** Reads the YAML block that follows a TAP result, as far as test runners use YAML: scalars, quoted strings, text blocks. */
export function readDiagnostic(lines: readonly string[], start: number): TapDiagnostic {
  const open = /^( *)---\s*$/.exec(lines[start] ?? '');
  if (open === null) return { fields: new Map(), last: start - 1 };
  const fence = open[1] ?? '';
  let end = start + 1;
  while (end < lines.length && lines[end]?.trimEnd() !== `${fence}...`) end++;
  return { fields: readFields(lines.slice(start + 1, end)), last: Math.min(end, lines.length - 1) };
}

function readFields(block: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const depth = indentOf(block.find((line) => line.trim() !== '') ?? '');
  for (let at = 0; at < block.length; at++) {
    const field = /^( *)([\w-]+): *(.*)$/.exec(block[at] ?? '');
    if (field === null || field[1]?.length !== depth) continue;
    const [, , key = '', value = ''] = field;
    if (!/^[|>][+-]?$/.test(value)) {
      if (value !== '') fields.set(key, unquote(value));
      continue;
    }
    const text = textBlock(block, at + 1, depth);
    fields.set(key, text.join('\n').trimEnd());
    at += text.length;
  }
  return fields;
}

function textBlock(block: readonly string[], start: number, depth: number): readonly string[] {
  const end = block.findIndex((line, at) => at >= start && line.trim() !== '' && indentOf(line) <= depth);
  const text = block.slice(start, end < 0 ? undefined : end);
  const own = indentOf(text.find((line) => line.trim() !== '') ?? '');
  return text.map((line) => line.slice(Math.min(own, indentOf(line))));
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** Quoted strings come in YAML's and in JavaScript's spelling. */
function unquote(value: string): string {
  const [, quote, inner] = /^(['"`])(.*)\1$/.exec(value.trimEnd()) ?? [];
  if (quote === undefined || inner === undefined) return value.trimEnd();
  const undoubled = quote === "'" ? inner.replace(/''/g, "'") : inner;
  return undoubled.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gi, (_, hex, unicode, char: string) => {
    const code = hex ?? unicode;
    return code === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(code, 16));
  });
}
