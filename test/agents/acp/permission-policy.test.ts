import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AskedAction, decidePermission, type PolicyBounds } from '../../../server/agents/acp/permission-policy.ts';

const OPEN: PolicyBounds = {
  inScope: (path) => path.startsWith('code/'),
  confined: false,
  network: false,
  refusal: (command) => (String(command).includes('git') ? 'it runs git' : undefined),
};
const CONFINED: PolicyBounds = { ...OPEN, confined: true };

const allowed = (asked: Partial<AskedAction>, bounds = OPEN): boolean =>
  decidePermission({ kind: 'other', paths: [], ...asked }, bounds).allowed;

describe('the permission policy', () => {
  it('lets an agent read, search and think within the project', () => {
    for (const kind of ['read', 'search', 'think']) {
      assert.equal(allowed({ kind, paths: ['prd/prd.md'] }), true);
      assert.equal(allowed({ kind, paths: ['prd/prd.md', undefined] }), false, 'not outside of it');
    }
  });

  it('lets it write within its scope only', () => {
    for (const kind of ['edit', 'delete', 'move']) {
      assert.equal(allowed({ kind, paths: ['code/a', 'code/b'] }), true);
      assert.equal(allowed({ kind, paths: ['code/a', 'prd/prd.md'] }), false);
      assert.equal(allowed({ kind, paths: [undefined] }, CONFINED), false);
    }
  });

  it('lets it do what names no path only where a sandbox holds it', () => {
    for (const kind of ['edit', 'execute', 'other', 'switch_mode', 'of_the_future']) {
      assert.equal(allowed({ kind }), false, kind);
      assert.equal(allowed({ kind }, CONFINED), true, kind);
    }
  });

  it('lets it run the commands that the guard has nothing against', () => {
    assert.equal(allowed({ kind: 'execute', command: 'npm test' }), true);
    assert.equal(allowed({ kind: 'execute', command: ['npm', 'test'] }), true);
    assert.equal(allowed({ kind: 'execute', command: 'git status' }, CONFINED), false);
    assert.equal(decidePermission({ kind: 'execute', paths: [], command: 'git' }, OPEN).why, 'it runs git');
  });

  it('lets it fetch where the team allows the network', () => {
    assert.equal(allowed({ kind: 'fetch' }, CONFINED), false);
    assert.equal(allowed({ kind: 'fetch' }, { ...OPEN, network: true }), true);
  });

  it('gives its reason', () => {
    assert.equal(decidePermission({ kind: 'edit', paths: ['prd/x'] }, OPEN).why, 'prd/x is outside of the write scope');
  });
});
