import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerPermission } from '../../../server/agents/acp/permission-request.ts';

type Request = Parameters<typeof answerPermission>[0];
const BOUNDS = {
  inScope: (path: string) => path.startsWith('code/'),
  confined: false,
  network: false,
  refusal: (command: string | readonly string[]) => (command.includes('git') ? 'git' : undefined),
};
const relative = (path: string) => (path.startsWith('/p/') ? path.slice(3) : undefined);
const ALL: Request['options'] = (['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const).map(
  (kind) => ({ optionId: kind, name: kind, kind }),
);

function answer(toolCall: Partial<Request['toolCall']>, options = ALL) {
  const { decision, response } = answerPermission(
    { sessionId: 's', options, toolCall: { toolCallId: 't', ...toolCall } },
    BOUNDS,
    relative,
  );
  return {
    ...decision,
    option: response.outcome.outcome === 'selected' ? response.outcome.optionId : response.outcome.outcome,
  };
}

describe('a permission request', () => {
  it('is read from wherever an agent puts its paths', () => {
    for (const name of ['path', 'file_path', 'filePath', 'filepath']) {
      assert.equal(answer({ kind: 'edit', rawInput: { [name]: '/p/code/a' } }).allowed, true, name);
      assert.equal(answer({ kind: 'edit', rawInput: { [name]: '/p/prd/a' } }).allowed, false, name);
      assert.equal(answer({ kind: 'edit', rawInput: { [name]: '/etc/passwd' } }).allowed, false, name);
    }
    assert.equal(
      answer({ kind: 'edit', locations: [{ path: '/p/code/a' }], rawInput: { path: '/p/prd/a' } }).allowed,
      false,
      'all of them count',
    );
    assert.equal(answer({ kind: 'edit', content: [{ type: 'diff', path: '/p/code/a', newText: '' }] }).allowed, true);
  });

  it('may hold a command as text or as a list', () => {
    assert.equal(answer({ kind: 'execute', rawInput: { command: 'npm test' } }).allowed, true);
    assert.equal(answer({ kind: 'execute', rawInput: { command: ['npm', 'test'] } }).allowed, true);
    assert.equal(answer({ kind: 'execute', rawInput: { command: ['git', 'push'] } }).allowed, false);
  });

  it('is answered once where that is offered, else for always, else not at all', () => {
    const only = (...kinds: readonly string[]) => ALL.filter(({ kind }) => kinds.includes(kind));
    const edit = { kind: 'edit' as const, locations: [{ path: '/p/code/a' }] };
    const stray = { kind: 'edit' as const, locations: [{ path: '/p/prd/a' }] };
    assert.equal(answer(edit).option, 'allow_once');
    assert.equal(answer(edit, only('allow_always', 'reject_once')).option, 'allow_always');
    assert.equal(answer(stray).option, 'reject_once');
    assert.equal(answer(stray, only('allow_once', 'allow_always')).option, 'cancelled');
    assert.equal(answer(edit, []).option, 'cancelled');
  });

  it('of no kind, with an input of any shape, is refused where nothing confines the agent', () => {
    for (const rawInput of [undefined, null, 7, 'text', [], { command: 7 }, { path: { deep: true } }])
      assert.equal(answer({ rawInput }).allowed, false, JSON.stringify(rawInput));
  });
});
