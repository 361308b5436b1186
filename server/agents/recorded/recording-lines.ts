import { z } from 'zod';
import type { AgentContext } from '../../domain/agent-call.ts';
import { ROLES, type Role } from '../../domain/roles.ts';
import { sha256 } from './request-parts.ts';

/** The first line of a recording. */
export const headerSchema = z.strictObject({
  schema: z.literal(1),
  /** Decided by a person, or by a live model. */
  source: z.enum(['scripted', 'recorded']),
  model: z.string().max(200).optional(),
  date: z.iso.date(),
  redaction: z.literal('secrets'),
  requirement: z.string().min(1).max(100_000),
});
export type RecordingHeader = z.infer<typeof headerSchema>;

const count = z.int().positive();

/** What a tool must answer: `digest` of its whole text in neutral words (12 hex digits), `text` its beginning. */
const expectSchema = z.strictObject({ tool_call_id: z.string(), digest: z.string(), text: z.string() });
export type ExpectedAnswer = z.infer<typeof expectSchema>;

/** One turn of a model. */
export const turnSchema = z.strictObject({
  role: z.enum(ROLES),
  unit: z.string().optional(),
  round: count,
  attempt: count,
  turn: count,
  request_digest: z.string().regex(/^[0-9a-f]{64}$/),
  /** `{what} {digest}` for each part of the request, to say where a difference begins. */
  request: z.array(z.string()),
  message: z.string(),
  tool_calls: z.array(z.strictObject({ id: z.string(), name: z.string(), arguments: z.string() })),
  usage: z.strictObject({
    input_tokens: z.number().optional(),
    output_tokens: z.number().optional(),
    cost: z.number().optional(),
  }),
  expect: z.array(expectSchema).optional(),
});
export type RecordedTurn = z.infer<typeof turnSchema>;

/** The call that a turn belongs to. */
export interface TurnKey {
  readonly role: Role;
  readonly unit?: string;
  readonly round: number;
  readonly attempt: number;
}

export function turnKey(role: Role, { unit, round, attempt }: AgentContext): TurnKey {
  return { role, round, attempt, ...(unit === undefined ? {} : { unit }) };
}

export function keyText({ role, unit = '', round, attempt }: TurnKey, turn: number): string {
  return [role, unit, round, attempt, turn].join('/');
}

/** The sum before the first line. */
export const NO_SUM = '';

/** A line is its JSON with the chain's sum as the last member: what was written covers itself and every line before it. */
export function sealedLine(content: object, before: string): { readonly line: string; readonly sum: string } {
  const body = JSON.stringify(content).slice(0, -1);
  const sum = chainSum(body, before);
  return { line: `${body}${MEMBER}${sum}"}`, sum };
}

/** @returns undefined where the line is not what was written, or does not follow what is before it. */
export function openLine(line: string, before: string): { readonly value: unknown; readonly sum: string } | undefined {
  const at = line.lastIndexOf(MEMBER);
  const body = line.slice(0, Math.max(at, 0));
  const sum = chainSum(body, before);
  if (at < 0 || line.slice(at) !== `${MEMBER}${sum}"}`) return undefined;
  return { value: JSON.parse(`${body}}`), sum };
}

const MEMBER = ',"sum":"';

/** 16 hex digits. */
function chainSum(body: string, before: string): string {
  return sha256(`${before}\n${body}`).slice(0, 16);
}
