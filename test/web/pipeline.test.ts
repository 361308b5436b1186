import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { settingsSchema } from '../../server/domain/project.ts';
import { layoutPipeline, NODE } from '../../server/web/pipeline/pipeline-layout.ts';
import { type PipelineNode, pipelineNodes } from '../../server/web/pipeline/pipeline-nodes.ts';
import { project, unit } from './sample-project.ts';

const nodesOf = (more: Parameters<typeof project>[0] = {}, integration?: string) =>
  pipelineNodes({ project: project(more), integration });
const states = (nodes: readonly PipelineNode[]) => Object.fromEntries(nodes.map(({ id, state }) => [id, state]));
const call = (role: 'pm' | 'bug-triager' | 'integrator', status: 'running' | 'done') =>
  ({ call: `c-${role}`, role, status, started_at: '' }) as const;

describe('the pipeline', () => {
  it('has roles, units with what they wait for, and the release; gates only where they are set', () => {
    assert.deepEqual(
      nodesOf().map(({ id, after }) => [id, ...after].join(' < ')),
      [
        'pm',
        'architect < pm',
        'unit-store < architect',
        'unit-api < unit-store',
        'integrator < unit-api',
        'end < integrator',
      ],
    );
    const settings = settingsSchema.parse({ gates: { prd: true, sdd: true } });
    const gated = nodesOf({ settings, status: 'waiting_approval', gate: 'sdd' });
    assert.deepEqual(
      gated.slice(0, 5).map(({ id, after }) => [id, ...after].join(' < ')),
      ['pm', 'gate-prd < pm', 'architect < gate-prd', 'gate-sdd < architect', 'unit-store < gate-sdd'],
    );
    assert.deepEqual([states(gated)['gate-prd'], states(gated)['gate-sdd']], ['done', 'waiting_approval']);
  });

  it('shows the last call of a role, and of the integrator the verdict', () => {
    assert.equal(states(nodesOf({ calls: [call('pm', 'running')] })).pm, 'running');
    assert.equal(states(nodesOf({ calls: [call('integrator', 'done')] }, 'fail')).integrator, 'fail');
    assert.equal(states(nodesOf({ calls: [call('integrator', 'running')] }, 'fail')).integrator, 'running');
    assert.equal(states(nodesOf({ calls: [call('bug-triager', 'done')] }))['bug-triager'], 'done');
    assert.equal(states(nodesOf({ status: 'shipped' })).end, 'shipped');
  });

  it('marks each attempt of a unit', () => {
    const marks = (status: 'waiting' | 'coding' | 'green' | 'red' | 'failed', attempt: number) =>
      nodesOf({ units: [unit('a', [], { status, attempt })] })
        .find(({ id }) => id === 'unit-a')
        ?.attempts?.join(' ');
    assert.equal(marks('waiting', 1), 'left left left');
    assert.equal(marks('coding', 2), 'red busy left');
    assert.equal(marks('green', 2), 'red green left');
    assert.equal(marks('failed', 3), 'red red red');
  });
});

describe('the picture of the pipeline', () => {
  const graph = fc.array(fc.array(fc.nat({ max: 11 }), { maxLength: 4 }), { minLength: 1, maxLength: 12 }).map((rows) =>
    rows.map(
      (after, at): PipelineNode => ({
        id: `n${at}`,
        kind: 'unit',
        name: `n${at}`,
        state: 'waiting',
        after: after.filter((other) => other < at).map((other) => `n${other}`),
      }),
    ),
  );

  it('puts each node after all that it waits for, and no two in one place, in both directions', () => {
    fc.assert(
      fc.property(graph, fc.constantFrom('row' as const, 'column' as const), (nodes, direction) => {
        const { nodes: placed, width, height, edges } = layoutPipeline(nodes, direction);
        const at = new Map(placed.map((one) => [one.node.id, direction === 'row' ? one.x : one.y]));
        for (const { node } of placed) {
          for (const id of node.after) assert.ok((at.get(id) ?? 0) < (at.get(node.id) ?? 0), `${id} before ${node.id}`);
        }
        assert.equal(new Set(placed.map(({ x, y }) => `${x} ${y}`)).size, nodes.length);
        assert.ok(placed.every(({ x, y }) => x >= 0 && y >= 0 && x + NODE.width <= width && y + NODE.height <= height));
        assert.equal(edges.length, nodes.flatMap(({ after }) => after).length);
      }),
    );
  });

  it('ends where nodes wait for each other in a circle', () => {
    const circle = (['a', 'b'] as const).map(
      (id): PipelineNode => ({
        id,
        kind: 'unit',
        name: id,
        state: 'waiting',
        after: [id === 'a' ? 'b' : 'a'],
      }),
    );
    assert.equal(layoutPipeline(circle, 'row').nodes.length, 2);
  });
});
