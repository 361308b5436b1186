import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanStatus,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { DevLoopError } from '../server/domain/errors.ts';
import { agentCallFacts, traced } from '../server/tracing.ts';

interface Recorded {
  readonly name: string;
  readonly attributes: Attributes | undefined;
  status?: SpanStatus;
  ended: number;
}

const spans: Recorded[] = [];

function startSpan(name: string, options: { readonly attributes?: Attributes } = {}): Span {
  const recorded: Recorded = { name, attributes: options.attributes, ended: 0 };
  spans.push(recorded);
  const span = {
    setStatus: (status: SpanStatus) => {
      recorded.status = status;
      return span;
    },
    end: () => {
      recorded.ended += 1;
    },
    spanContext: () => INVALID_SPAN_CONTEXT,
  };
  return span as unknown as Span;
}

class Part {
  #secret = 'kept';
  readonly limit = 7;
  read(pid: string): string {
    return `${pid} ${this.#secret}`;
  }
  async write(pid: string, value: number): Promise<number> {
    if (value > this.limit) throw new DevLoopError('disk_full', `no room for ${pid}`);
    return value;
  }
  async *follow(): AsyncGenerator<number> {
    yield 1;
  }
}

describe('tracing', () => {
  before(() => {
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan, startActiveSpan: () => undefined }) as never });
  });
  after(() => trace.disable());

  it('gives each call a span that names it and its project, and ends with it', async () => {
    spans.length = 0;
    const part = traced('git', new Part());
    assert.equal(part.read('p-1'), 'p-1 kept');
    assert.equal(await part.write('p-2', 3), 3);
    assert.deepEqual(spans, [
      { name: 'git.read', attributes: { 'devloop.pid': 'p-1' }, ended: 1 },
      { name: 'git.write', attributes: { 'devloop.pid': 'p-2' }, ended: 1 },
    ]);
  });

  it('marks a call that failed with its code, and lets the failure through as it was', async () => {
    spans.length = 0;
    await assert.rejects(traced('git', new Part()).write('p-1', 8), /no room for p-1/);
    assert.deepEqual(spans[0]?.status, { code: SpanStatusCode.ERROR, message: 'disk_full' });
    assert.equal(spans[0]?.ended, 1);
  });

  it('leaves what is no call alone, and streams as they are', async () => {
    const part = traced('git', new Part());
    assert.equal(part.limit, 7);
    const seen: number[] = [];
    for await (const one of part.follow()) seen.push(one);
    assert.deepEqual(seen, [1]);
  });

  it('says of an agent call whose it is', async () => {
    spans.length = 0;
    const context = { pid: 'p-1', call: 'c-1', unit: 'store', attempt: 2, requirement: 'secret' };
    const part = { callAgent: async (role: string, _input: object, _context: object) => role };
    assert.equal(await traced('agent', part, agentCallFacts).callAgent('coder', {}, context), 'coder');
    assert.deepEqual(spans[0]?.attributes, {
      'devloop.pid': 'p-1',
      'devloop.role': 'coder',
      'devloop.call': 'c-1',
      'devloop.attempt': 2,
      'devloop.unit': 'store',
    });
  });
});
