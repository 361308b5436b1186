import { type Attributes, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import type { AgentContext } from './domain/agent-call.ts';

/**
 * The same part, with an OpenTelemetry span around each of its calls, named `{part}.{call}`. Nothing is recorded unless the process
 * has registered a tracer provider.
 */
export function traced<Part extends object>(
  name: string,
  part: Part,
  attributesOf: (args: readonly unknown[]) => Attributes = projectOf,
): Part {
  const tracer = trace.getTracer('devloop');
  return new Proxy(part, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const span = tracer.startSpan(`${name}.${String(property)}`, { attributes: attributesOf(args) });
        return ended(span, () => Reflect.apply(value, target, args));
      };
    },
  });
}

/** What a span says of an agent call: `callAgent(role, input, context)`. */
export function agentCallFacts([role, , context]: readonly unknown[]): Attributes {
  const { pid, call, unit, attempt } = context as AgentContext;
  return {
    'devloop.pid': pid,
    'devloop.role': String(role),
    'devloop.call': call,
    'devloop.attempt': attempt,
    ...(unit === undefined ? {} : { 'devloop.unit': unit }),
  };
}

/** Most calls name their project first. */
function projectOf([first]: readonly unknown[]): Attributes {
  return typeof first === 'string' ? { 'devloop.pid': first } : {};
}

/** Ends the span with the call, also where it fails or is still to come. */
function ended(span: Span, call: () => unknown): unknown {
  const fail = (error: unknown): never => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    span.setStatus({ code: SpanStatusCode.ERROR, message: code }).end();
    throw error;
  };
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return fail(error);
  }
  if (!(result instanceof Promise)) {
    span.end();
    return result;
  }
  return result.then((value) => {
    span.end();
    return value;
  }, fail);
}
