import type { TestCase } from '../../domain/verdicts.ts';

/** What a reader understood of a run's output. */
export interface Reading {
  readonly runner: string;
  readonly tests: readonly TestCase[];
  /** Ids of suites and of tests that only hold others. */
  readonly groups: readonly string[];
  /** Why the run counts as failed although no test says so: a bail-out, a plan that was not met. */
  readonly problem?: string;
}

/** Text in, tests out; undefined where the text is not of this reader's kind. Pure. */
export type Reader = (text: string) => Reading | undefined;

/** Joins names from the outermost suite to the test. */
export const testId = (names: readonly string[]): string => names.map((name) => name.trim()).join(' > ');

/** A test of a tree of tests, as readers of nested output collect it. */
export interface TestNode {
  readonly name: string;
  readonly status: TestCase['status'];
  readonly duration_ms?: number;
  readonly message?: string;
  /** True where it failed by itself, not because of what it holds. */
  readonly own_failure: boolean;
  readonly is_suite: boolean;
  readonly children: readonly TestNode[];
}

/** Flattens a tree: tests are its leaves, and groups that failed by themselves (a hook, a missing end). */
export function flattenTests(nodes: readonly TestNode[]): Pick<Reading, 'tests' | 'groups'> {
  const tests: TestCase[] = [];
  const groups: string[] = [];
  const visit = (node: TestNode, above: readonly string[]): void => {
    const names = [...above, node.name];
    for (const child of node.children) visit(child, names);
    const group = node.is_suite || node.children.length > 0;
    if (group) groups.push(testId(names));
    if (!group || node.own_failure) tests.push(testCase(node, names));
  };
  for (const node of nodes) visit(node, []);
  return { tests, groups };
}

function testCase(node: TestNode, names: readonly string[]): TestCase {
  return {
    id: testId(names),
    status: node.status,
    ...(node.duration_ms === undefined ? {} : { duration_ms: node.duration_ms }),
    ...(node.message === undefined || node.status !== 'failed' ? {} : { message: node.message }),
  };
}
