import assert from 'node:assert/strict';
import { existsSync, mkdtempSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { FailureReason } from '../../server/domain/agent-call.ts';
import type { SettingsInput } from '../../server/domain/project.ts';
import type { RoleTeam } from '../../server/domain/team.ts';
import { removeTree } from '../../server/io/remove-tree.ts';
import { fenced } from '../support/agent-context.ts';
import { type BadTeam, openBadTeam } from '../support/bad-team.ts';

type Outcome = FailureReason | 'completed';
type Limits = SettingsInput['limits'];

const IDLE: Limits = { idle_ms: 2000 };
const WALL: Limits = { wall_ms: 2000 };
const OUTPUT: Limits = { output_bytes: 200_000 };
const WRITES: Limits = { write_bytes: 2_000_000 };

/** What comes of a coder by its mode: the same by command and over ACP, unless told apart. */
const PROGRAM_MODES: Readonly<Record<string, { of: Outcome | { command?: Outcome; acp?: Outcome }; limits?: Limits }>> =
  {
    'rewrites the git config': { of: 'vault_tampered' },
    'plants hooks': { of: 'vault_tampered' },
    'moves HEAD': { of: 'vault_tampered' },
    'commits by itself': { of: 'vault_tampered' },
    'deletes git': { of: 'vault_tampered' },
    'appends to a ledger': { of: 'vault_tampered' },
    'writes over a ledger': { of: 'scope_violation' },
    'writes outside': { of: 'scope_violation' },
    'writes through a link': { of: 'scope_violation' },
    'changes the tests': { of: 'scope_violation' },
    'changes nothing': { of: 'no_change' },
    'makes a nested repository': { of: 'completed' },
    'writes a pipe': { of: 'completed' },
    'setsid child': { of: 'no_change' },
    'child holds the pipe': { of: 'no_change' },
    'noise before': { of: 'no_change' },
    'torn last line': { of: 'no_change' },
    'huge message': { of: 'no_change' },
    'cut characters': { of: 'no_change' },
    'never fits': { of: 'bad_output' },
    'exits at once': { of: { command: 'bad_output', acp: 'agent_error' } },
    fails: { of: 'agent_error' },
    'is silent': { of: 'timeout_idle', limits: IDLE },
    'ignores the request to end': { of: 'timeout_idle', limits: IDLE },
    'is busy': { of: 'timeout_wall', limits: WALL },
    floods: { of: 'output_limit', limits: OUTPUT },
    'fills the disk': { of: 'output_limit', limits: WRITES },
    'wrong protocol version': { of: { acp: 'not_started' } },
    'unknown update kinds': { of: { acp: 'no_change' } },
    'answers after cancel': { of: { acp: 'timeout_idle' }, limits: IDLE },
    refuses: { of: { acp: 'refused' } },
  };

const RESULT = fenced({ ok: true, unit_id: 'counter', attempt: 1, summary: 'done' });
const write = (path: string) => [{ name: 'write_file', arguments: JSON.stringify({ path, content: 'forged' }) }];
const silence = () => {};
const flood = (response: ServerResponse) => {
  const chunk = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(20_000) } }] })}\n\n`;
  const more = setInterval(() => response.write(chunk), 5);
  response.on('close', () => clearInterval(more));
};

/** What comes of a coder that is a model: the tools that it first calls, or how its endpoint behaves. */
const MODEL_MODES: Readonly<
  Record<
    string,
    { of: Outcome; calls?: readonly object[]; serve?: (response: ServerResponse) => void; limits?: Limits }
  >
> = {
  'rewrites the git config': { of: 'no_change', calls: write('.git/config') },
  'plants hooks': { of: 'no_change', calls: write('.git/hooks/pre-commit') },
  'moves HEAD': { of: 'no_change', calls: write('.git/HEAD') },
  'appends to a ledger': { of: 'no_change', calls: write('timeline.ndjson') },
  'writes outside': { of: 'no_change', calls: [...write('project.json'), ...write('../outside.txt')] },
  'changes the tests': { of: 'no_change', calls: write('units/counter/tests/counter.test.mjs') },
  'calls a tool that is not there': {
    of: 'no_change',
    calls: [{ name: 'shell', arguments: '{"command":"git reset"}' }],
  },
  'malformed arguments': { of: 'no_change', calls: [{ name: 'write_file', arguments: '{"path": "units' }] },
  'changes nothing': { of: 'no_change' },
  'is silent': { of: 'timeout_idle', serve: silence, limits: IDLE },
  floods: { of: 'output_limit', serve: flood, limits: OUTPUT },
};

/** Those after which no attempt is used up, since another call would end the same way. */
const BLOCKING: ReadonlySet<Outcome> = new Set(['not_started', 'refused']);

describe('a coder that nothing confines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-bad-'));
  const table: string[] = [];
  let team: BadTeam;
  before(async () => {
    team = await openBadTeam(folder);
  });
  after(async () => {
    await team.close();
    await removeTree(folder);
    process.stdout.write(`${table.join('\n')}\n`);
  });

  async function play(driver: string, mode: string, coder: RoleTeam, expected: Outcome, limits?: Limits) {
    const began = performance.now();
    const played = await team.play('coder', coder, limits);
    const { call, attempts, project } = played;
    const outcome = call?.reason ?? 'completed';
    const kept = attempts.length === 1 ? 'kept as an attempt' : 'no attempt used up';
    table.push(`${mode.padEnd(32)}${driver.padEnd(9)}${outcome.padEnd(17)}${kept}`);
    assert.equal(outcome, expected, call?.detail);
    assert.ok(performance.now() - began < 60_000, 'it ended soon after its limit');
    assert.equal(project.status, 'blocked');
    assert.equal(attempts.length, BLOCKING.has(expected) ? 0 : 1);
    return played;
  }

  for (const [mode, { of, limits }] of Object.entries(PROGRAM_MODES)) {
    for (const driver of ['command', 'acp'] as const) {
      const expected = typeof of === 'string' ? of : of[driver];
      if (expected === undefined) continue;
      it(`by ${driver}, mode "${mode}": ${expected}, and all else is as it was`, async () => {
        const { attempts, git } = await play(driver, mode, team.agent(driver, mode), expected, limits);
        if (mode !== 'makes a nested repository') return;
        const files = git('ls-tree', '-r', '--name-only', attempts[0]?.sha ?? 'none', '--', 'units/counter/code');
        assert.ok(files.split('\n').includes('units/counter/code/nested/file'), files);
        assert.ok(!files.includes('.git'));
      });
    }
  }

  for (const [mode, { of, calls, serve, limits }] of Object.entries(MODEL_MODES)) {
    it(`by model, mode "${mode}": ${of}, and all else is as it was`, async () => {
      const model = await badModel(calls ?? [], serve);
      try {
        const base_url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
        await play('model', mode, { driver: 'model', base_url, model: 'bad' }, of, limits);
      } finally {
        model.closeAllConnections();
        model.close();
      }
    });
  }

  it('is told of with what it changed and that it was put back', async () => {
    const { call } = await team.play('coder', team.agent('command', 'appends to a ledger'));
    assert.equal(call?.detail, 'changed in .git or the ledgers, and put back: timeline.ndjson');
  });

  it('can write beside its project, and the call’s record says that nothing held it', async () => {
    const { call, project } = await team.play('coder', team.agent('command', 'writes beside its project'));
    assert.ok(existsSync(join(project.path, '../beside.txt')));
    assert.deepEqual(call?.layers, ['environment', 'git-shim']);
  });

  it('beside a tester that promises green without a test is not believed', async () => {
    const { project, attempts } = await team.play('tester', team.agent('command', 'promises green without tests'));
    assert.equal(project.status, 'blocked');
    assert.deepEqual(
      attempts.map(({ verdict }) => verdict),
      ['no_tests'],
    );
  });
});

/** A model that calls these tools, and then says that it is done. */
async function badModel(calls: readonly object[], serve?: (response: ServerResponse) => void): Promise<Server> {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (serve !== undefined) {
      response.flushHeaders();
      serve(response);
      return;
    }
    const called = calls.length > 0 && !text.includes('"role":"tool"');
    const tool_calls = calls.map((call, index) => ({ index, id: `c${index}`, function: call }));
    const delta = called ? { content: '', tool_calls } : { content: RESULT };
    response.end(`data: ${JSON.stringify({ choices: [{ delta, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
