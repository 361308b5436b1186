import { errorLine, isTestFile, spokenError } from './error-text.ts';
import { flattenTests, type Reading, type TestNode } from './reading.ts';
import { readDiagnostic } from './tap-diagnostic.ts';

const RESULT = /^( *)(not )?ok\b(?: +\d+)?(?: +-)? *(.*)$/;
const DIRECTIVE = / # ?(SKIP|TODO)\S*\s*(.*)$/i;

/**
 * Reads TAP 13 and 14 with subtests indented by four, as node:test, tape and others print it.
 * A subtest's results come before its own line; what a broken run left open counts by its `# Subtest` names.
 */
export function readTap(text: string): Reading | undefined {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^TAP version 1[34]$/.test(line)) && !looksLikeTap(lines)) return undefined;
  const parse = new TapParse();
  for (let at = 0; at < lines.length; at++) at = parse.line(lines, at);
  return parse.reading();
}

/** Without a version line there must be a plan and results. */
function looksLikeTap(lines: readonly string[]): boolean {
  return lines.some((line) => /^1\.\.\d+/.test(line)) && lines.some((line) => /^(not )?ok \d+/.test(line));
}

class TapParse {
  /** Results by depth that wait for the line of what holds them. */
  readonly #levels: TestNode[][] = [[]];
  readonly #open: string[] = [];
  #comments: string[] = [];
  #plan: number | undefined;
  #count = 0;
  #bailed: string | undefined;

  /** @returns the index of the last line that was taken. */
  line(lines: readonly string[], at: number): number {
    const line = lines[at] ?? '';
    const result = RESULT.exec(line);
    if (result !== null) return this.#result(result, lines, at);
    const comment = /^( *)# ?(.*)$/.exec(line);
    if (comment !== null) this.#comment(comment[1] ?? '', comment[2] ?? '');
    const plan = /^1\.\.(\d+)/.exec(line);
    if (plan !== null) this.#plan = Number(plan[1]);
    if (line.startsWith('Bail out!')) this.#bailed = line.slice('Bail out!'.length).trim() || 'bailed out';
    return at;
  }

  reading(): Reading {
    for (let depth = this.#levels.length - 1; depth > 0; depth--) this.#closeOpen(depth);
    const nodes = (this.#levels[0] ?? []).filter((node) => !isEmptyFile(node));
    const short = this.#plan !== undefined && this.#count < this.#plan;
    const problem = this.#bailed ?? (short ? `${this.#plan} tests were planned, ${this.#count} ran` : undefined);
    return { runner: 'tap', ...flattenTests(nodes), ...(problem === undefined ? {} : { problem }) };
  }

  #result(match: RegExpExecArray, lines: readonly string[], at: number): number {
    const depth = Math.floor((match[1] ?? '').length / 4);
    const diagnostic = readDiagnostic(lines, at + 1);
    const described = match[3] ?? '';
    const directive = DIRECTIVE.exec(described)?.[1]?.toUpperCase();
    const failed = match[2] !== undefined && directive === undefined;
    const { fields } = diagnostic;
    const children = this.#levels[depth + 1]?.splice(0) ?? [];
    const duration = Number(fields.get('duration_ms'));
    this.#level(depth).push({
      name: unescapeTap(described.replace(DIRECTIVE, '')) || `test ${this.#level(depth).length + 1}`,
      status: failed ? 'failed' : directive === undefined ? 'passed' : 'skipped',
      ...(Number.isFinite(duration) ? { duration_ms: duration } : {}),
      ...(failed ? { message: this.#message(fields) } : {}),
      own_failure: failed && fields.get('failureType') !== 'subtestsFailed',
      is_suite: fields.get('type') === 'suite',
      children,
    });
    if (depth === 0) this.#count++;
    this.#comments = [];
    return diagnostic.last;
  }

  #message(fields: ReadonlyMap<string, string>): string {
    const error = fields.get('error') ?? fields.get('message');
    // A test file that ended with an error has no words of its own: the error stands in what it printed.
    if (fields.has('exitCode') && error === 'test failed') {
      return errorLine(this.#comments) ?? `the test file ended with exit status ${fields.get('exitCode')}`;
    }
    if (error !== undefined) return spokenError(fields.get('name'), error);
    const [expected, actual] = [fields.get('expected'), fields.get('actual')];
    return expected === undefined && actual === undefined ? 'failed' : `expected ${expected}, got ${actual}`;
  }

  #comment(indent: string, words: string): void {
    const subtest = /^Subtest: (.*)$/.exec(words);
    if (subtest === null) this.#comments.push(words);
    else this.#open[Math.floor(indent.length / 4)] = unescapeTap(subtest[1] ?? '');
  }

  /** The run broke off inside of a subtest: what it held is kept below its name, and it counts as failed. */
  #closeOpen(depth: number): void {
    const children = this.#levels[depth]?.splice(0) ?? [];
    if (children.length === 0) return;
    const name = this.#open[depth - 1] ?? 'unnamed';
    const message = 'the run broke off';
    this.#level(depth - 1).push({ name, status: 'failed', message, own_failure: true, is_suite: true, children });
  }

  #level(depth: number): TestNode[] {
    while (this.#levels.length <= depth) this.#levels.push([]);
    return this.#levels[depth] ?? [];
  }
}

/** node:test reports a file that holds no test as a test that passed, named after the file. */
const isEmptyFile = (node: TestNode): boolean =>
  node.status === 'passed' && node.children.length === 0 && isTestFile(node.name);

const unescapeTap = (name: string): string => name.replace(/\\([\\#])/g, '$1').trim();
