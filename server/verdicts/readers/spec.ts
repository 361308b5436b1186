import { errorLine, inspectedError, isTestFile } from './error-text.ts';
import { flattenTests, type Reading, type TestNode } from './reading.ts';

const LINE = /^( *)([✔✖﹣⚠▶]) (.*?)(?: \(([\d.]+)ms\)(?<note> # .*)?|(?<bare> # (?:SKIP|TODO)\b.*))?$/;
const FAILURES = /^✖ failing tests:$/;

/** Reads what node:test's spec reporter prints: nested lines, then the failures with their errors. */
export function readSpec(text: string): Reading | undefined {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^ℹ tests \d+$/.test(line))) return undefined;
  const failuresAt = lines.findIndex((line) => FAILURES.test(line));
  const errors = failuresAt < 0 ? [] : readErrors(lines.slice(failuresAt + 1));
  const parse = new SpecParse(errors);
  for (const line of failuresAt < 0 ? lines : lines.slice(0, failuresAt)) parse.line(line);
  return { runner: 'node:test', ...flattenTests(parse.nodes()) };
}

interface ListedError {
  readonly name: string;
  readonly message: string;
}

function readErrors(lines: readonly string[]): ListedError[] {
  const errors: ListedError[] = [];
  let at = 0;
  while (at < lines.length) {
    const head = /^test at /.test(lines[at] ?? '') ? LINE.exec(lines[at + 1] ?? '') : null;
    at++;
    if (head === null) continue;
    const start = at + 1;
    while (at < lines.length && !/^test at /.test(lines[at] ?? '')) at++;
    const words = lines.slice(start, at).map((line) => line.replace(/^ {2}/, ''));
    errors.push({ name: head[3] ?? '', message: inspectedError(words) });
  }
  return errors;
}

interface Open {
  readonly name: string;
  readonly children: TestNode[];
}

class SpecParse {
  readonly #errors: ListedError[];
  readonly #open: Open[] = [{ name: '', children: [] }];
  #printed: string[] = [];

  constructor(errors: ListedError[]) {
    this.#errors = errors;
  }

  line(line: string): void {
    const match = LINE.exec(line);
    const depth = (match?.[1]?.length ?? 0) / 2;
    // What a test prints can look like anything: a line counts where its depth can be.
    if (match === null || !Number.isInteger(depth) || depth >= this.#open.length + 1) {
      this.#printed.push(line);
      return;
    }
    const [, , sign = '', name = '', duration] = match;
    const note = match.groups?.note ?? match.groups?.bare;
    const closes = this.#open.length > depth + 1 && this.#open[depth + 1]?.name === name;
    if (sign === '▶' && !closes) {
      this.#closeTo(depth);
      this.#open.push({ name, children: [] });
      return;
    }
    const children = closes ? (this.#open[depth + 1]?.children ?? []) : [];
    this.#open.length = Math.min(this.#open.length, depth + 1);
    this.#add(depth, { sign, name, duration, note, children });
  }

  nodes(): readonly TestNode[] {
    this.#closeTo(0);
    return this.#open[0]?.children.filter((node) => !isEmptyFile(node)) ?? [];
  }

  /** The run broke off inside of these: what they held is kept. */
  #closeTo(depth: number): void {
    while (this.#open.length > depth + 1) {
      const open = this.#open.pop();
      if (open === undefined) return;
      const node = {
        ...open,
        status: 'failed',
        message: 'the run broke off',
        own_failure: true,
        is_suite: true,
      } as const;
      this.#open.at(-1)?.children.push(node);
    }
  }

  #add(depth: number, found: Found): void {
    const { sign, name, duration, note, children } = found;
    const failed = (sign === '✖' && note === undefined) || (sign === '▶' && children.some(hasFailed));
    const message = failed ? this.#message(name) : undefined;
    const skipped = sign === '﹣' || sign === '⚠' || note !== undefined;
    this.#open[depth]?.children.push({
      name,
      status: failed ? 'failed' : skipped ? 'skipped' : 'passed',
      ...(duration === undefined ? {} : { duration_ms: Number(duration) }),
      ...(message === undefined ? {} : { message }),
      own_failure: failed && (children.length === 0 || message !== undefined),
      is_suite: false,
      children,
    });
    this.#printed = [];
  }

  #message(name: string): string | undefined {
    const at = this.#errors.findIndex((error) => error.name === name);
    const message = this.#errors.splice(at < 0 ? this.#errors.length : at, 1)[0]?.message;
    return message === 'test failed' ? (errorLine(this.#printed) ?? 'the test file ended with an error') : message;
  }
}

interface Found {
  readonly sign: string;
  readonly name: string;
  readonly duration: string | undefined;
  readonly note: string | undefined;
  readonly children: readonly TestNode[];
}

const hasFailed = (node: TestNode): boolean => node.status === 'failed';
const isEmptyFile = (node: TestNode): boolean =>
  node.status === 'passed' && node.children.length === 0 && isTestFile(node.name);
