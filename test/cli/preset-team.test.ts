import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presetTeam } from '../../server/cli/preset-team.ts';
import { isDevLoopError } from '../../server/domain/errors.ts';

describe('--preset', () => {
  it('names the agent of all roles', () => {
    assert.deepEqual(presetTeam(['codex'], {}), { default: { preset: 'codex' } });
  });

  it('names that of one role beside it', () => {
    assert.deepEqual(presetTeam(['coder=codex', 'claude', 'tester=gemini'], { model: 'm' }), {
      default: { preset: 'claude', model: 'm' },
      roles: { coder: { preset: 'codex', model: 'm' }, tester: { preset: 'gemini', model: 'm' } },
    });
  });

  it('gives the address to the preset that takes one', () => {
    const base_url = 'http://127.0.0.1:9/v1';
    assert.deepEqual(presetTeam(['openai', 'coder=codex'], { base_url }), {
      default: { preset: 'openai', base_url },
      roles: { coder: { preset: 'codex' } },
    });
  });

  it('must leave no role without an agent', () => {
    assert.throws(
      () => presetTeam(['coder=codex'], {}),
      (error) => isDevLoopError(error, 'bad_request'),
    );
  });
});
