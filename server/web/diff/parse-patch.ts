import { type FilePath, pathOfBytes } from '../paths/file-path.ts';

export interface PatchLine {
  readonly kind: 'context' | 'add' | 'delete';
  readonly text: string;
  /** The file does not end with a line end after it. */
  readonly open?: true;
}

export interface Hunk {
  readonly old_start: number;
  readonly new_start: number;
  /** What stands after the second `@@`. */
  readonly about: string;
  readonly lines: readonly PatchLine[];
}

export interface PatchFile extends FilePath {
  /** Lines of the head that say more than the names: modes, binary. */
  readonly notes: readonly string[];
  readonly hunks: readonly Hunk[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;
const NOTE = /^(old mode|new mode|new file mode|deleted file mode|Binary files|GIT binary patch)/;

/** Reads a unified patch of git. Lines are ended by `\n` alone: a carriage return is part of its line. */
export function parsePatch(patch: string): readonly PatchFile[] {
  const lines = patch.split('\n');
  const files: PatchFile[] = [];
  for (let at = 0; at < lines.length; ) {
    if (!beginsFile(lines, at)) {
      at++;
      continue;
    }
    const { file, next } = readFile(lines, at);
    files.push(file);
    at = next;
  }
  return files;
}

/** git's own head, or, in patches of other programs, the two names alone. */
function beginsFile(lines: readonly string[], at: number): boolean {
  const [line = '', next = ''] = [lines[at], lines[at + 1]];
  return line.startsWith('diff --git ') || (line.startsWith('--- ') && next.startsWith('+++ '));
}

function readFile(lines: readonly string[], start: number): { readonly file: PatchFile; readonly next: number } {
  const notes: string[] = [];
  const hunks: Hunk[] = [];
  const named = lines[start]?.startsWith('diff --git ') === true;
  let name = pathOfHead(lines[start] ?? '');
  let at = named ? start + 1 : start;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (beginsFile(lines, at) && at > start && (line.startsWith('diff') || hunks.length > 0 || !named)) break;
    const head = HUNK.exec(line);
    if (head !== null) {
      const { hunk, next } = readHunk(lines, at, head);
      hunks.push(hunk);
      at = next;
      continue;
    }
    if (NOTE.test(line)) notes.push(line);
    if (line.startsWith('+++ ') && line !== '+++ /dev/null') name = nameIn(line);
    if (line.startsWith('--- ') && line !== '--- /dev/null') name = nameIn(line);
    at++;
  }
  return { file: { ...name, notes, hunks }, next: at };
}

/** The head of a hunk says how many lines follow, so that no line of a file can pass for one of the patch. */
function readHunk(
  lines: readonly string[],
  start: number,
  head: RegExpExecArray,
): { readonly hunk: Hunk; readonly next: number } {
  const [, oldStart, oldCount = '1', newStart, newCount = '1', about = ''] = head;
  let [old, fresh] = [Number(oldCount), Number(newCount)];
  const found: PatchLine[] = [];
  let at = start + 1;
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const last = found.at(-1);
    if (line.startsWith('\\') && last !== undefined) found[found.length - 1] = { ...last, open: true };
    else if (old === 0 && fresh === 0) break;
    else {
      const kind = line.startsWith('+') ? 'add' : line.startsWith('-') ? 'delete' : 'context';
      if (kind !== 'add') old--;
      if (kind !== 'delete') fresh--;
      found.push({ kind, text: line.slice(1) });
    }
    at++;
  }
  return { hunk: { old_start: Number(oldStart), new_start: Number(newStart), about, lines: found }, next: at };
}

/** `--- a/name`, with a tab after it where the name has a space, or quoted as in C where it has what is no plain text. */
function nameIn(line: string): FilePath {
  const name = line.slice(4).replace(/\t$/, '');
  const bare = /^"?[ab]\//;
  return name.startsWith('"')
    ? pathOfBytes(unquoted(name.replace(bare, '').replace(/"$/, '')))
    : { path: name.replace(bare, '') };
}

/** The bytes of a quoted name, each as a character. */
function unquoted(name: string): string {
  const utf8 = [...new TextEncoder().encode(name)].map((byte) => String.fromCharCode(byte)).join('');
  return utf8.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', t: '\t', n: '\n', v: '\v', f: '\f', r: '\r' };

/** `diff --git a/name b/name`: both are the same, since renames are told as two files. */
function pathOfHead(line: string): FilePath {
  const names = line.slice('diff --git '.length);
  return nameIn(`--- ${names.slice(0, Math.floor(names.length / 2))}`);
}
