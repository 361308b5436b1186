import type { HttpStep } from '../domain/integration-spec.ts';
import { type Captures, fill, fillText, NotCaptured } from './captures.ts';
import { type Answer, jsonBody, unmet } from './expectations.ts';
import { exchange, type HttpExchange, type HttpRequest } from './http-exchange.ts';
import { atPath } from './json-path.ts';

export interface StepTarget {
  readonly origin: string;
  readonly unit: string;
  /** How the service ended; undefined where it has not, and does not within a moment. */
  ended(): Promise<string | undefined>;
}

interface StepsSetting {
  readonly targets: ReadonlyMap<string, StepTarget>;
  readonly signal: AbortSignal;
  readonly onExchange: (entry: TraceEntry) => void;
}

/** One line of the trace, but for the case's name. */
export interface TraceEntry {
  readonly step: number;
  readonly service: string;
  readonly request: Omit<HttpRequest, 'origin'>;
  readonly answer: HttpExchange;
  readonly duration_ms: number;
}

interface StepsOutcome {
  readonly failure?: string;
  /** Unit of the service that was talked to last. */
  readonly unit?: string;
}

const STEP_MS = 30_000;

/** Makes the requests of a case one after the other, up to the first that does not go as expected. */
export async function runSteps(steps: readonly HttpStep[], setting: StepsSetting): Promise<StepsOutcome> {
  const captures = new Map<string, unknown>();
  let unit: string | undefined;
  for (const [at, step] of steps.entries()) {
    const target = setting.targets.get(step.service);
    const where = `step ${at + 1} (${step.method} ${step.path} of ${step.service})`;
    if (target === undefined) return { ...told(unit), failure: `${where}: no service has this name` };
    unit = target.unit;
    const failure = await runStep({ at, step, target, captures }, setting);
    if (failure !== undefined) return { unit, failure: `${where}: ${failure}` };
  }
  return told(unit);
}

const told = (unit: string | undefined): StepsOutcome => (unit === undefined ? {} : { unit });

interface StepContext {
  readonly at: number;
  readonly step: HttpStep;
  readonly target: StepTarget;
  readonly captures: Map<string, unknown>;
}

async function runStep(
  { at, step, target, captures }: StepContext,
  setting: StepsSetting,
): Promise<string | undefined> {
  try {
    const request = requestOf(step, target.origin, captures);
    const begun = performance.now();
    const answer = await exchange(request, AbortSignal.any([setting.signal, AbortSignal.timeout(STEP_MS)]));
    const { origin: _, ...sent } = request;
    const duration_ms = Math.round(performance.now() - begun);
    setting.onExchange({ step: at + 1, service: step.service, request: sent, answer, duration_ms });
    if (answer.kind === 'failed') return (await target.ended()) ?? answer.why;
    return unmet(answer, step.expect, captures) ?? capture(answer, step.capture ?? {}, captures);
  } catch (error) {
    if (error instanceof NotCaptured) return error.message;
    throw error;
  }
}

/** A body is sent as JSON, but for a text whose content type the step tells otherwise. */
function requestOf(step: HttpStep, origin: string, captures: Captures): HttpRequest {
  const filled = Object.entries(step.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    fillText(value, captures),
  ]);
  const headers: Readonly<Record<string, string>> = Object.fromEntries(filled);
  const path = fillText(step.path, captures, encodeURIComponent);
  if (step.body === undefined) return { method: step.method, origin, path, headers };
  const body = fill(step.body, captures);
  const type = headers['content-type'] ?? 'application/json';
  const text = typeof body === 'string' && !/\bjson\b/i.test(type) ? body : JSON.stringify(body);
  return { method: step.method, origin, path, headers: { 'content-type': type, ...headers }, body: text };
}

function capture(
  answer: Answer,
  wanted: Readonly<Record<string, string>>,
  captures: Map<string, unknown>,
): string | undefined {
  for (const [name, path] of Object.entries(wanted)) {
    const body = jsonBody(answer);
    const found = body === undefined ? undefined : atPath(body.value, path);
    if (found?.kind !== 'found') return `there is no ${path} to capture as ${name}`;
    captures.set(name, found.value);
  }
  return undefined;
}
