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
  const names = new Set(events.map(nameOf));
  const holds = (name: string): boolean => [...names].some((other) => other.startsWith(`${name}/`));
  const ended = events.filter((event) => STATUS[event.Action] !== undefined);
  const failedInside = (event: GoEvent): boolean =>
    ended.some((other) => other.Action === 'fail' && other !== event && nameOf(other).startsWith(`${nameOf(event)}/`));
  const tests: TestCase[] = [];
  const groups: string[] = [];
  for (const event of ended) {
    const group = event.Test === undefined || holds(nameOf(event));
    if (group) groups.push(idOf(event));
    const own = event.Action === 'fail' && !failedInside(event);
    if (!group || own) tests.push(testCase(event, events));
  }
  return { runner: 'go test', tests, groups };
}

function testCase(event: GoEvent, events: readonly GoEvent[]): TestCase {
  const status = STATUS[event.Action] ?? 'failed';
  const printed = events.filter((other) => other.Action === 'output' && nameOf(other) === nameOf(event));
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
