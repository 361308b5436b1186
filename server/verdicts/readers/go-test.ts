import { z } from 'zod';
import type { TestCase } from '../../domain/verdicts.ts';
import { type Reading, testId } from './reading.ts';

const eventSchema = z.object({
  Action: z.string(),
  Package: z.string().default(''),
  Test: z.string().optional(),
  Output: z.string().default(''),
  Elapsed: z.number().optional(),
});
type GoEvent = z.infer<typeof eventSchema>;

const STATUS: Readonly<Record<string, TestCase['status']>> = { pass: 'passed', fail: 'failed', skip: 'skipped' };

/** Reads `go test -json`: a line an event. Ids are package > test > subtest; a package that failed without a test counts as one. */
export function readGoTest(text: string): Reading | undefined {
  const events = text.split('\n').flatMap(parseEvent);
  if (events.length === 0) return undefined;
  const ended = events.filter((event) => STATUS[event.Action] !== undefined);
  const holding = new Set(events.flatMap(above));
  const failedInside = new Set(ended.filter((event) => event.Action === 'fail').flatMap(above));
  const printed = Map.groupBy(
    events.filter((event) => event.Action === 'output'),
    nameOf,
  );
  const tests: TestCase[] = [];
  const groups: string[] = [];
  for (const event of ended) {
    const name = nameOf(event);
    const group = event.Test === undefined || holding.has(name);
    if (group) groups.push(idOf(event));
    const own = event.Action === 'fail' && !failedInside.has(name);
    if (!group || own) tests.push(testCase(event, printed.get(name) ?? []));
  }
  return { runner: 'go test', tests, groups };
}

/** The names of what holds an event's test: its package, and the tests that it is a subtest of. */
function above({ Package, Test }: GoEvent): readonly string[] {
  const names = Test?.split('/').slice(0, -1) ?? [];
  const tests = names.map((_, at) => `${Package}/${names.slice(0, at + 1).join('/')}`);
  return Test === undefined ? [] : [Package, ...tests];
}

function testCase(event: GoEvent, printed: readonly GoEvent[]): TestCase {
  const status = STATUS[event.Action] ?? 'failed';
  return {
    id: idOf(event),
    status,
    ...(event.Elapsed === undefined ? {} : { duration_ms: event.Elapsed * 1000 }),
    ...(status === 'failed' ? { message: wordsOf(printed.map((other) => other.Output)) } : {}),
  };
}

/** What the test said: without the runner's own lines; `file_test.go:12: ` stays, it is the same on every run. */
function wordsOf(printed: readonly string[]): string {
  const lines = printed.join('').split('\n');
  const own = lines.filter((line) => !/^\s*(=== |--- |FAIL\b|PASS\b|ok\s|exit status)/.test(line));
  return (
    own
      .map((line) => line.replace(/^ {4}/, ''))
      .join('\n')
      .trim() || 'failed'
  );
}

const nameOf = (event: GoEvent): string =>
  event.Test === undefined ? event.Package : `${event.Package}/${event.Test}`;
const idOf = (event: GoEvent): string => testId([event.Package, ...(event.Test?.split('/') ?? [])]);

function parseEvent(line: string): readonly GoEvent[] {
  if (!line.startsWith('{')) return [];
  try {
    const event = eventSchema.safeParse(JSON.parse(line));
    return event.success ? [event.data] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
