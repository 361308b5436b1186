import { z } from 'zod';
import type { TestCase } from '../../domain/verdicts.ts';
import { inspectedError } from './error-text.ts';
import { type Reading, testId } from './reading.ts';

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().default(''),
      status: z.string().optional(),
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});
type JestFile = z.infer<typeof reportSchema>['testResults'][number];

/** Reads the report of `jest --json`. A test file that did not load counts as a failed test named after the file. */
export function readJest(text: string): Reading | undefined {
  const report = reportSchema.safeParse(parseJson(text));
  if (!report.success) return undefined;
  return { runner: 'jest', tests: report.data.testResults.flatMap(fileTests), groups: [] };
}

function fileTests(file: JestFile): readonly TestCase[] {
  if (file.assertionResults.length === 0 && file.status === 'failed') {
    return [{ id: file.name, status: 'failed', message: brokenFile(file.message) }];
  }
  return file.assertionResults.map((result) => ({
    id: testId([...result.ancestorTitles, result.title]),
    status: result.status === 'passed' || result.status === 'failed' ? result.status : 'skipped',
    ...(typeof result.duration === 'number' ? { duration_ms: result.duration } : {}),
    ...(result.status === 'failed' ? { message: spoken(result.failureMessages?.[0] ?? 'failed') } : {}),
  }));
}

const spoken = (message: string): string => inspectedError(message.split('\n'));

/** The first paragraph after the bullet line: the rest shows source lines. */
function brokenFile(message: string): string {
  const [first] = message
    .replace(/^\s*●.*\n/, '')
    .trim()
    .split(/\n\s*\n/);
  return first || 'the test file failed to run';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
