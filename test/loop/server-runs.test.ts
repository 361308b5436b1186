import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { IntegrationEffect, TestEffect } from '../../server/domain/effect.ts';
import { parseCallId, parseUnitId } from '../../server/domain/ids.ts';
import type { IntegrationRunInput, UnitRunInput } from '../../server/loop/ports.ts';
import { runIntegration } from '../../server/loop/run-integration.ts';
import { runUnitTests, unitTrees } from '../../server/loop/run-unit-tests.ts';
import { fakeWorkplace } from '../support/fake-workplace.ts';
import { integrationReport, oid, unitReport } from '../support/loop-story.ts';

const unit = parseUnitId('store');

async function testEffect(place: Awaited<ReturnType<typeof fakeWorkplace>>): Promise<TestEffect> {
  const { tests_tree } = await unitTrees(place.at.ports.vault, place.project.folder.pid, unit);
  return {
    kind: 'test_unit',
    key: parseCallId('c8-test-store'),
    unit,
    round: 1,
    attempt: 2,
    command: ['node', '--test'],
    promised: ['adds'],
    tests_tree,
    test_ms: 1234,
    output_bytes: 5678,
  };
}

describe("the server's run of a unit's tests", () => {
  it('is given the command, the promise and the limits, and names where its output goes', async () => {
    const place = await fakeWorkplace();
    const inputs: UnitRunInput[] = [];
    place.world.script = {
      ...place.world.script,
      unit: (input) => {
        inputs.push(input);
        return unitReport('green');
      },
    };
    const outcome = await runUnitTests(await testEffect(place), place.at);
    assert.ok(outcome.kind === 'unit.tested');
    const [input] = inputs;
    assert.ok(input);
    assert.deepEqual(
      [input.root, input.unit, input.command, input.promised],
      ['/data/p-single01', unit, ['node', '--test'], ['adds']],
    );
    assert.deepEqual(input.limits, { wall_ms: 1234, output_bytes: 5678 });
    assert.equal(input.stdout_file, `/data/p-single01/units/store/runs/${outcome.run}/stdout.txt`);
  });

  it('writes its result with the trees that it has seen', async () => {
    const place = await fakeWorkplace();
    const effect = await testEffect(place);
    const outcome = await runUnitTests(effect, place.at);
    assert.ok(outcome.kind === 'unit.tested');
    const file = JSON.parse(place.project.repository.disk.get(`units/store/runs/${outcome.run}/result.json`) ?? '');
    assert.deepEqual(
      [file.schema, file.unit, file.round, file.attempt, file.outcome, file.run],
      [1, 'store', 1, 2, outcome.report.outcome, outcome.run],
    );
    assert.deepEqual([file.code_tree, file.tests_tree], [outcome.code_tree, effect.tests_tree]);
  });

  it('is tampered where the tests are not those that the Tester left', async () => {
    const place = await fakeWorkplace();
    const outcome = await runUnitTests({ ...(await testEffect(place)), tests_tree: oid(1) }, place.at);
    assert.ok(outcome.kind === 'unit.tested');
    assert.equal(outcome.report.outcome, 'tampered');
  });

  it('is tampered where .git was touched meanwhile', async () => {
    const place = await fakeWorkplace();
    place.world.script = {
      ...place.world.script,
      unit: (_input, { repository }) => {
        repository.tampering = ['hooks/post-commit'];
        return unitReport('green');
      },
    };
    const outcome = await runUnitTests(await testEffect(place), place.at);
    assert.equal(outcome.kind === 'unit.tested' && outcome.report.outcome, 'tampered');
  });

  it('leaves no result where it was stopped', async () => {
    const place = await fakeWorkplace();
    place.abort.abort();
    assert.deepEqual(await runUnitTests(await testEffect(place), place.at), {
      kind: 'run.interrupted',
      key: 'c8-test-store',
    });
    assert.ok(![...place.project.repository.disk.keys()].some((path) => path.includes('/runs/')));
  });

  it('that cannot be made rejects, and holds no baseline any more', async () => {
    const place = await fakeWorkplace();
    place.world.script = {
      ...place.world.script,
      unit: () => {
        throw new Error('no such program');
      },
    };
    await assert.rejects(runUnitTests(await testEffect(place), place.at), /no such program/);
    await assert.rejects(place.at.ports.vault.changesSinceBaseline(place.project.folder.pid), /no baseline/);
  });
});

describe("the server's run of the integration cases", () => {
  const effect: IntegrationEffect = {
    kind: 'run_integration',
    key: parseCallId('c9-integrate'),
    round: 2,
    test_ms: 1234,
    output_bytes: 5678,
  };
  const SPEC = { services: [], cases: [{ id: 'one', title: 'one', command: ['true'] }] };

  it('reads the cases, runs them, and writes the result', async () => {
    const place = await fakeWorkplace();
    place.project.repository.disk.set('integration/spec.json', JSON.stringify(SPEC));
    const inputs: IntegrationRunInput[] = [];
    const verdicts = {
      ...place.at.ports.verdicts,
      runIntegration: async (input: IntegrationRunInput) => {
        inputs.push(input);
        return integrationReport('fail');
      },
    };
    const outcome = await runIntegration(effect, { ...place.at, ports: { ...place.at.ports, verdicts } });
    assert.ok(outcome.kind === 'integration.ran');
    assert.deepEqual(inputs[0]?.spec, SPEC);
    assert.equal(inputs[0]?.process_log, `/data/p-single01/integration/runs/${outcome.run}/process.log`);
    const file = JSON.parse(place.project.repository.disk.get(`integration/runs/${outcome.run}/result.json`) ?? '');
    assert.deepEqual([file.schema, file.round, file.outcome, file.passed], [1, 2, 'fail', 1]);
  });

  for (const [name, text] of [
    ['are absent', undefined],
    ['are not JSON', '{'],
    ['do not fit', '{"services":[],"cases":[]}'],
  ] as const) {
    it(`are a fault of the environment where the cases ${name}`, async () => {
      const place = await fakeWorkplace();
      if (text !== undefined) place.project.repository.disk.set('integration/spec.json', text);
      const outcome = await runIntegration(effect, place.at);
      assert.ok(outcome.kind === 'integration.ran');
      assert.equal(outcome.report.outcome, 'environment');
      assert.match(outcome.report.environment_error ?? '', /integration\/spec\.json/);
    });
  }

  it('puts back what the services left in the project, and fails where they touched .git', async () => {
    const place = await fakeWorkplace();
    const { repository } = place.project;
    repository.disk.set('integration/spec.json', JSON.stringify(SPEC));
    place.world.script = {
      ...place.world.script,
      integration: () => {
        repository.disk.set('units/store/code/data.json', '[]');
        repository.tampering = ['config'];
        return integrationReport('pass');
      },
    };
    const outcome = await runIntegration(effect, place.at);
    assert.ok(!repository.disk.has('units/store/code/data.json'));
    assert.ok(outcome.kind === 'integration.ran');
    assert.deepEqual([outcome.report.outcome, /config/.test(outcome.report.environment_error ?? '')], ['fail', true]);
  });
});
