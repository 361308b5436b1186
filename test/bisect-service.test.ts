import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bisectService } from '../server/bisect-service.ts';
import { parseUnitId } from '../server/domain/ids.ts';
import { bisect } from '../server/vault/bisect/bisect.ts';
import type { GitVault } from '../server/vault/index.ts';
import type { Verdicts } from '../server/verdicts/index.ts';
import { type VaultUnderTest, vaultUnderTest } from './support/vault-under-test.ts';

const UNITS = JSON.stringify({
  units: [{ id: 'api', title: 'API', depends_on: [], test_command: ['node', '--test'] }],
});
const SPEC = JSON.stringify({
  services: [],
  cases: [
    { id: 'one', title: 'One', command: ['true'] },
    { id: 'two', title: 'Two', command: ['true'] },
  ],
});

const serviceOf = ({ vault }: VaultUnderTest, verdicts: Partial<Verdicts>) =>
  bisectService({
    vault: {
      bisect: (_pid: unknown, search: Parameters<typeof bisect>[1]) => bisect(vault(), search),
    } as unknown as GitVault,
    verdicts: verdicts as Verdicts,
  });

test('a unit’s tests judge the commits that changed the unit, by the command of that commit', async (t) => {
  const made = vaultUnderTest(t);
  made.commit('units', { 'units.json': UNITS, 'units/api/code/x': '0' });
  const good = made.commit('good', { 'units/api/code/x': '1' });
  made.commit('elsewhere', { 'units/web/code/x': '1' });
  const first = made.commit('bad', { 'units/api/code/x': '2' });
  made.commit('later', { 'units/api/code/y': '1' });
  const asked: unknown[] = [];
  const search = serviceOf(made, {
    runUnit: async ({ root, command, unit }) => {
      asked.push([command, unit]);
      return { outcome: readFileSync(`${root}/units/api/code/x`, 'utf8') === '2' ? 'red' : 'green' } as Awaited<
        ReturnType<Verdicts['runUnit']>
      >;
    },
  });
  const signal = new AbortController().signal;
  const { first_bad, tried } = await search(made.vault().pid, {
    good,
    bad: 'HEAD',
    check: { unit: parseUnitId('api') },
    signal,
  });
  assert.equal(first_bad.sha, first);
  assert.equal(tried.length, 3);
  assert.deepEqual(asked[0], [['node', '--test'], 'api']);
});

test('an integration case is run alone, and a commit without it is passed over', async (t) => {
  const made = vaultUnderTest(t);
  const good = made.commit('good', { 'integration/spec.json': SPEC, x: 'good' });
  made.commit('no spec', { 'integration/spec.json': 'not JSON', x: 'none' });
  made.commit('bad', { 'integration/spec.json': SPEC, x: 'bad' });
  const search = serviceOf(made, {
    runIntegration: async ({ root, spec }) => {
      assert.deepEqual(
        spec.cases.map(({ id }) => id),
        ['two'],
      );
      return { outcome: readFileSync(`${root}/x`, 'utf8') === 'bad' ? 'fail' : 'pass' } as Awaited<
        ReturnType<Verdicts['runIntegration']>
      >;
    },
  });
  const { first_bad, tried } = await search(made.vault().pid, {
    good,
    bad: 'HEAD',
    check: { case: 'two' },
    signal: new AbortController().signal,
  });
  assert.equal(first_bad.subject, 'bad');
  assert.deepEqual(
    tried.map(({ verdict }) => verdict),
    ['bad', 'good', 'skipped'],
  );
});
