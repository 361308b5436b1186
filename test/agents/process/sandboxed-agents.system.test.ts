import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { RoleInput } from '../../../server/domain/agent-call.ts';
import { parseCallId, parseUnitId } from '../../../server/domain/ids.ts';
import { roleScope } from '../../../server/domain/write-scope.ts';
import { CODER_INPUT, coderContext, LIMITS } from '../../support/agent-context.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { ROOT } from '../../support/running-server.ts';

const AGENTS = join(ROOT, 'test/support/bad-agents');
const CALL = parseCallId('call-0123456789ab');
const FILES = [
  '.git/HEAD',
  'project.json',
  'timeline.ndjson',
  'prd/prd.md',
  'units.json',
  'units/store/contract.json',
  'units/store/code/old.mjs',
  'units/store/tests/a.test.mjs',
];
const ARCHITECT: RoleInput = { role: 'architect', mode: 'generate', sdd_rev: 1, prd_rev: 1, affected_units: [] };

/** What an agent that tries everything could do in a confined call. */
async function done(t: TestContext, input: RoleInput, team: { network?: boolean } = {}): Promise<readonly string[]> {
  const outside = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  t.after(() => outside.close());
  const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
  let shown = '';
  const context = coderContext(t, {
    scope: roleScope(input.role, { call: CALL, unit: parseUnitId('store') }),
    team: {
      driver: 'command',
      command: [process.execPath, join(AGENTS, 'agent.mjs'), 'tries everything'],
      sandbox: 'required',
      env: ['OUTSIDE_URL'],
      ...team,
    },
    onOutput: (text) => {
      shown += text;
    },
  });
  for (const file of FILES) {
    mkdirSync(dirname(join(context.root, file)), { recursive: true });
    writeFileSync(join(context.root, file), `of ${file}`);
  }
  const manager = await wholeManager(t, { OUTSIDE_URL: url }, 'required');
  const outcome = await manager.callAgent(input.role, input, context);
  assert.deepEqual(outcome.record.layers, ['environment', 'git-shim', 'bubblewrap'], JSON.stringify(outcome));
  for (const file of ['.git/HEAD', 'project.json', 'timeline.ndjson', 'prd/prd.md', 'units/store/tests/a.test.mjs'])
    assert.equal(readFileSync(join(context.root, file), 'utf8'), `of ${file}`);
  const attempts = shown.match(/^did .*$/gm) ?? [];
  return [...new Set(attempts)];
}

describe('a confined agent', () => {
  it('that codes can write its code and its result, and nothing else', async (t) => {
    assert.deepEqual(await done(t, CODER_INPUT), ['did write its code', 'did write its result']);
  });

  it('that designs can write the files of its scope among others that it cannot', async (t) => {
    assert.deepEqual(await done(t, ARCHITECT), [
      'did write its result',
      'did write units.json',
      'did write a contract',
    ]);
  });

  it('has the network where its team allows it', async (t) => {
    assert.ok((await done(t, CODER_INPUT, { network: true })).includes('did reach the network'));
  });

  it('speaks ACP as one that is not confined', async (t) => {
    const context = coderContext(t, {
      team: {
        driver: 'acp',
        command: [process.execPath, join(AGENTS, 'acp-agent.mjs'), 'answers'],
        sandbox: 'required',
      },
      limits: LIMITS,
    });
    const outcome = await (await wholeManager(t, {}, 'required')).callAgent('coder', CODER_INPUT, context);
    assert.equal(outcome.kind, 'completed', JSON.stringify(outcome));
    assert.deepEqual(outcome.record.layers, [
      'environment',
      'git-shim',
      'bubblewrap',
      'permission_policy',
      'command_guard',
    ]);
  });
});
