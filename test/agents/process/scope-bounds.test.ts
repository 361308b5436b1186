import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { scopeBounds } from '../../../server/agents/process/scope-bounds.ts';
import { parseCallId, parseRunId, parseUnitId } from '../../../server/domain/ids.ts';
import type { Role } from '../../../server/domain/roles.ts';
import { roleScope } from '../../../server/domain/write-scope.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const FILES = [
  '.git/HEAD',
  'project.json',
  'timeline.ndjson',
  'prd/prd.md',
  'sdd/index.html',
  'units.json',
  'integration/spec.json',
  'integration/runs/run-1/result.json',
  'units/store/contract.json',
  'units/store/code/a.mjs',
  'units/store/tests/a.test.mjs',
  'agent-state/calls/call-0/transcript.ndjson',
  'agent-state/calls/call-1/out/result.json',
];

function bounds(t: TestContext, role: Role) {
  const root = scratchFolder(t);
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), '');
  }
  const scope = roleScope(role, { call: parseCallId('call-1'), unit: parseUnitId('store'), run: parseRunId('run-1') });
  const found = scopeBounds(root, scope);
  const names = (paths: readonly string[]) => paths.map((path) => relative(root, path) || '.').sort();
  return { root, writable: names(found.writable), closed: names(found.protected) };
}

describe('the bounds of a write scope', () => {
  it('of a coder are its code and its own results', (t) => {
    const { writable, closed } = bounds(t, 'coder');
    assert.deepEqual(writable, ['agent-state/calls/call-1/out', 'units/store/code']);
    assert.deepEqual(closed, []);
  });

  it('of a role that writes single files open their folders and close all else in them', (t) => {
    const { writable, closed } = bounds(t, 'architect');
    assert.deepEqual(writable, ['.']);
    assert.deepEqual(closed, [
      '.git',
      'agent-state/calls/call-0',
      'integration/runs',
      'prd',
      'project.json',
      'timeline.ndjson',
      'units/store/code',
      'units/store/tests',
    ]);
  });

  it('of a triager are the folder of its run, without the result', (t) => {
    const { writable, closed } = bounds(t, 'bug-triager');
    assert.deepEqual(writable, ['agent-state/calls/call-1/out', 'integration/runs/run-1']);
    assert.deepEqual(closed, ['integration/runs/run-1/result.json']);
  });

  it('are made where they are absent', (t) => {
    const root = scratchFolder(t);
    const scope = roleScope('tester', { call: parseCallId('call-1'), unit: parseUnitId('new') });
    scopeBounds(root, scope);
    assert.ok(existsSync(join(root, 'units/new/tests')) && existsSync(join(root, 'agent-state/calls/call-1/out')));
  });
});
