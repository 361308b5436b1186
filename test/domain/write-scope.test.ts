import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parseCallId, parseRunId, parseUnitId } from '../../server/domain/ids.ts';
import { ROLES } from '../../server/domain/roles.ts';
import { inScope, mayHoldScope, roleScope, type WriteScope } from '../../server/domain/write-scope.ts';

const within = (path: string, scope: WriteScope) => inScope(bytePathFromText(path), scope);

describe('a write scope', () => {
  it('takes all below a folder for `**`, but not the folder itself', () => {
    assert.ok(within('prd/prd.md', ['prd/**']));
    assert.ok(within('prd/a/b/c', ['prd/**']));
    assert.ok(!within('prd', ['prd/**']));
    assert.ok(!within('prdx/a', ['prd/**']));
    assert.ok(within('anything/at/all', ['**']));
  });

  it('takes one name for `*`', () => {
    assert.ok(within('units/store/contract.json', ['units/*/contract.json']));
    assert.ok(!within('units/a/b/contract.json', ['units/*/contract.json']));
    assert.ok(!within('units/contract.json', ['units/*/contract.json']));
  });

  it('compares names as bytes, and knows no other pattern', () => {
    assert.ok(!within('PRD/prd.md', ['prd/**']));
    assert.ok(!within('prd/a.md', ['prd/?.md']));
    assert.ok(within('prd/é.md', [`prd/${bytePathFromText('é')}.md`]));
  });

  it('says which folders a walk may pass by', () => {
    const scope = ['units/*/code/**', 'prd/**'];
    const may = (folder: string) => mayHoldScope(bytePathFromText(folder), scope);
    assert.deepEqual(['', 'prd', 'units', 'units/a', 'units/a/code', 'units/a/code/x'].map(may), Array(6).fill(true));
    assert.deepEqual(['sdd', 'units/a/tests', 'unit'].map(may), Array(3).fill(false));
    assert.ok(!mayHoldScope(bytePathFromText(''), []));
  });
});

describe('what a role may write', () => {
  const at = { call: parseCallId('c7-x'), unit: parseUnitId('store'), run: parseRunId('run-1') };
  const may = (role: (typeof ROLES)[number], path: string) => within(path, roleScope(role, at));

  it('is its own part of the project, and no ledger, result or project.json', () => {
    const own: Readonly<Record<(typeof ROLES)[number], readonly string[]>> = {
      pm: ['prd/prd.md'],
      architect: ['sdd/index.html', 'units.json', 'integration/spec.json', 'units/new/contract.json'],
      coder: ['units/store/code/a/b.js'],
      tester: ['units/store/tests/a.test.js'],
      integrator: [],
      'bug-triager': ['integration/runs/run-1/triage.json'],
    };
    const all = [
      ...Object.values(own).flat(),
      'project.json',
      'timeline.ndjson',
      'units/store/coder.log',
      'units/api/code/x',
    ];
    const results = [
      'units/store/runs/r/result.json',
      'integration/runs/run-1/result.json',
      'agent-state/calls/c8-y/out/x',
    ];
    for (const role of ROLES) {
      for (const path of [...all, ...results])
        assert.equal(may(role, path), own[role].includes(path), `${role} ${path}`);
      assert.ok(may(role, 'agent-state/calls/c7-x/out/result.json'), 'and where its result goes');
    }
  });
});
