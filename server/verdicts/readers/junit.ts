import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { TestCase } from '../../domain/verdicts.ts';
import { inspectedError } from './error-text.ts';
import { type Reading, testId } from './reading.ts';

/**
 * Reads JUnit XML as vitest, pytest, jest-junit, Surefire and others write it. The parser is strict, knows no entity but
 * XML's own and loads nothing; a text that is not whole (a run that broke off) is no report.
 */
export function readJunit(text: string): Reading | undefined {
  if (!/<testsuites?[\s>/]/.test(text.slice(0, 10_000))) return undefined;
  const cases = new JunitCases();
  const parser = new SaxesParser();
  let fault: Error | undefined;
  parser.on('error', (error) => {
    fault ??= error;
  });
  parser.on('opentag', (tag) => cases.open(tag));
  parser.on('text', (words) => cases.text(words));
  parser.on('cdata', (words) => cases.text(words));
  parser.on('closetag', (tag) => cases.close(tag.name));
  parser.write(text).close();
  return fault === undefined ? { runner: 'junit', tests: cases.tests, groups: [] } : undefined;
}

const FAILURES = new Set(['failure', 'error']);

class JunitCases {
  readonly tests: TestCase[] = [];
  readonly #suites: string[] = [];
  #case: { readonly id: string; readonly duration: number } | undefined;
  #status: TestCase['status'] = 'passed';
  #message: string | undefined;
  #body: string | undefined;

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === 'testsuite') this.#suites.push(attributes.name ?? '');
    if (name === 'testcase') {
      this.#case = { id: caseId(attributes, this.#suites), duration: Number(attributes.time ?? Number.NaN) * 1000 };
      this.#status = 'passed';
      this.#message = undefined;
    }
    if (this.#case === undefined) return;
    if (name === 'skipped' && this.#status === 'passed') this.#status = 'skipped';
    if (FAILURES.has(name) && this.#status !== 'failed') {
      this.#status = 'failed';
      this.#message = attributes.message;
      this.#body = '';
    }
  }

  text(words: string): void {
    if (this.#body !== undefined) this.#body += words;
  }

  close(name: string): void {
    if (name === 'testsuite') this.#suites.pop();
    if (FAILURES.has(name) && this.#body !== undefined) {
      const words = this.#message?.trim() || this.#body.trim() || 'failed';
      this.#message = inspectedError(words.split('\n'));
      this.#body = undefined;
    }
    if (name !== 'testcase' || this.#case === undefined) return;
    const { id, duration } = this.#case;
    this.tests.push({
      id,
      status: this.#status,
      ...(Number.isFinite(duration) ? { duration_ms: duration } : {}),
      ...(this.#status === 'failed' ? { message: this.#message ?? 'failed' } : {}),
    });
    this.#case = undefined;
  }
}

/** Suites are told by the class name; where that only repeats a file (or the file's module), the test's name says all. */
function caseId(attributes: Readonly<Record<string, string>>, suites: readonly string[]): string {
  const { name = '', classname = '', file } = attributes;
  const module = file?.replace(/\.\w+$/, '').replaceAll('/', '.');
  if (module !== undefined && classname === module) return testId([name]);
  if (module !== undefined && classname.startsWith(`${module}.`)) {
    return testId([...classname.slice(module.length + 1).split('.'), name]);
  }
  const isFile = classname === '' || classname === 'test' || /[\\/]|\.[cm]?[jt]sx?$/.test(classname);
  if (!isFile) return testId([classname, name]);
  // node:test nests suites and gives every test the same class.
  return testId(classname === 'test' ? [...suites, name] : [name]);
}
