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

export interface PatchFile {
  /** As the patch's own lines name it; quoted names as they are quoted. */
  readonly path: string;
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
  let path = pathOfHead(lines[start] ?? '');
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
    if (line.startsWith('+++ ') && line !== '+++ /dev/null') path = nameIn(line);
    if (line.startsWith('--- ') && line !== '--- /dev/null') path = nameIn(line);
    at++;
  }
  return { file: { path, notes, hunks }, next: at };
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

/** `--- a/name`, with a tab after it where the name has a space. */
const nameIn = (line: string): string =>
  line
    .slice(4)
    .replace(/\t$/, '')
    .replace(/^"?[ab]\//, '')
    .replace(/"$/, '');

/** `diff --git a/name b/name`: both are the same, since renames are told as two files. */
function pathOfHead(line: string): string {
  const names = line.slice('diff --git '.length);
  return nameIn(`--- ${names.slice(0, Math.floor(names.length / 2))}`);
}
