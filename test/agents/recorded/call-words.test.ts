import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { callWords } from '../../../server/agents/recorded/call-words.ts';
import type { RoleInput } from '../../../server/domain/agent-call.ts';
import { coderContext, RUN } from '../../support/agent-context.ts';

const TRIAGE: RoleInput = {
  role: 'bug-triager',
  run: RUN,
  round: 1,
  report: { outcome: 'fail', passed: 0, total: 1, cases: [], duration_ms: 1 },
};

describe('the words of a call', () => {
  it('are the same in every run once they are neutral', (t) => {
    const context = coderContext(t);
    const words = callWords(context, TRIAGE);
    const said = [
      `${context.root}/units/x in ${context.pid}, ${context.call}, ${RUN}`,
      'took 12 ms, 3.25ms at 2026-01-02T03:04:05.678Z on http://127.0.0.1:40123/x and [::1]:99',
      '    at Test.run (node:internal/test:1:2)',
      'the end',
    ].join('\n');
    assert.equal(
      words.neutral(said),
      [
        './units/x in {{devloop:pid}}, {{devloop:call}}, {{devloop:run}}',
        'took <duration>, <duration> at <time> on http://127.0.0.1:<port>/x and [::1]:<port>',
        'the end',
      ].join('\n'),
    );
  });

  it('are kept to the letter but for ids and secrets', (t) => {
    const context = coderContext(t);
    const words = callWords(context, TRIAGE, ['a-known-secret']);
    const said = `12 ms, ${RUN}, ${context.root}, a-known-secret`;
    assert.equal(words.kept(said), `12 ms, {{devloop:run}}, ${context.root}, [redacted]`);
  });

  it('come back as they were', (t) => {
    const context = coderContext(t);
    const words = callWords(context, TRIAGE);
    const piece = fc.oneof(fc.constantFrom<string>(context.pid, context.call, RUN), fc.string());
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('/');
        assert.equal(words.spoken(words.kept(text)), text);
      }),
    );
  });
});
