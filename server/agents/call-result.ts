import type { RoleInput } from '../domain/agent-call.ts';
import { type AgentResult, RESULT_SCHEMAS } from '../domain/agent-results.ts';
import type { Role } from '../domain/roles.ts';
import { lastJsonBlock } from './last-json-block.ts';

export type ResultCheck =
  | { readonly kind: 'valid'; readonly result: AgentResult }
  /** `problems`: one a line, for the agent to mend. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] };

/**
 * Reads a role's result out of what an agent left: the text of out/result.json where there is one, and its final message.
 * The first that fits counts; where none does, the problems are those of the first that is there.
 */
export function checkResult(
  role: Role,
  input: RoleInput,
  given: { readonly file: string | undefined; readonly message: string },
): ResultCheck {
  const block = lastJsonBlock(given.message);
  const texts = [given.file, block].filter((text) => text !== undefined);
  const checks = texts.map((text) => checkText(role, input, text));
  return (
    checks.find((check) => check.kind === 'valid') ??
    checks[0] ?? { kind: 'invalid', problems: ['there is no result: end the final message with a fenced JSON block'] }
  );
}

function checkText(role: Role, input: RoleInput, text: string): ResultCheck {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { kind: 'invalid', problems: ['the result is not JSON'] };
  }
  const parsed = RESULT_SCHEMAS[role].safeParse(value);
  if (!parsed.success) {
    return {
      kind: 'invalid',
      problems: parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'result'}: ${message}`),
    };
  }
  const result = { role, ...parsed.data } as AgentResult;
  const problems = mismatches(result, input);
  return problems.length > 0 ? { kind: 'invalid', problems } : { kind: 'valid', result };
}

/** A result must speak of the work that was asked for. */
function mismatches(result: AgentResult, input: RoleInput): readonly string[] {
  switch (result.role) {
    case 'pm':
      return input.role === 'pm' ? differing([['prd_rev', result.prd_rev, input.prd_rev]]) : otherRole(input);
    case 'architect':
      if (input.role !== 'architect') return otherRole(input);
      return differing([
        ['sdd_rev', result.sdd_rev, input.sdd_rev],
        ['units_count', result.units_count, result.units.length],
      ]);
    case 'coder':
    case 'tester':
      if (input.role !== result.role) return otherRole(input);
      return differing([
        ['unit_id', result.unit_id, input.unit],
        ['attempt', result.attempt, input.attempt],
      ]);
    case 'integrator':
    case 'bug-triager':
      if (input.role !== result.role) return otherRole(input);
      return differing([['run_id', result.run_id, input.run]]);
  }
}

const otherRole = (input: RoleInput): readonly string[] => [`the input is one for ${input.role}`];

const differing = (fields: readonly (readonly [name: string, given: unknown, asked: unknown])[]): readonly string[] =>
  fields
    .filter(([, given, asked]) => given !== asked)
    .map(([name, given, asked]) => `${name}: ${JSON.stringify(asked)} was asked for, not ${JSON.stringify(given)}`);
