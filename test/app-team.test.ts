import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { tryTeam } from '../server/app-team.ts';
import { isDevLoopError } from '../server/domain/errors.ts';
import { ROLES } from '../server/domain/roles.ts';
import { type TeamInput, teamInputSchema } from '../server/domain/team-presets.ts';
import { TEMPLATES } from './support/agents-lab.ts';
import { ROOT } from './support/running-server.ts';
import { scratchFolder } from './support/scratch-folder.ts';

const ACP_AGENT = join(ROOT, 'test/support/bad-agents/acp-agent.mjs');

interface Machine {
  /** Programs in PATH, by name: what each prints when it is run. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly keys?: Readonly<Record<string, string>>;
}

function trials(t: TestContext, team: TeamInput, { programs = {}, keys = {} }: Machine = {}) {
  const bin = join(scratchFolder(t), 'bin');
  mkdirSync(bin);
  for (const [name, printed] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${printed}"\n`, { mode: 0o755 });
  return tryTeam(teamInputSchema.parse(team), {
    templates: TEMPLATES,
    sandbox: 'off',
    path: `${bin}:/usr/bin:/bin`,
    secret: (name) => keys[name],
  });
}

/** What came of a team of one entry. */
async function trial(t: TestContext, entry: TeamInput['default'], machine: Machine = {}) {
  const [one, ...more] = await trials(t, { default: entry }, machine);
  assert.deepEqual(more, []);
  assert.deepEqual(one?.roles, ROLES);
  return { ok: one?.ok, detail: one?.detail ?? '', layers: one?.layers };
}

const CODEX = { preset: 'codex-command', sandbox: 'off' } as const;
const KEY = { CODEX_API_KEY: 'k' };

describe('an agent of a team that is tried', () => {
  it('is told to be missing in PATH', async (t) => {
    const { ok, detail } = await trial(t, CODEX, { keys: KEY });
    assert.deepEqual([ok, detail], [false, 'codex is not in PATH']);
  });

  it('is told to lack its key', async (t) => {
    const { ok, detail } = await trial(t, CODEX, { programs: { codex: 'codex-cli 0.171.0' } });
    assert.deepEqual([ok, detail], [false, 'the environment variable CODEX_API_KEY, which the team names, is not set']);
  });

  it('is told to be too old', async (t) => {
    const { ok, detail } = await trial(t, CODEX, { programs: { codex: 'codex-cli 0.99.12' }, keys: KEY });
    assert.deepEqual([ok, detail], [false, 'codex has version 0.99.12, the oldest that is known to work is 0.171.0']);
  });

  it('is told to need the sandbox that is not there', async (t) => {
    const machine = { programs: { codex: 'codex-cli 0.171.0' }, keys: KEY };
    const { ok, detail } = await trial(t, { preset: 'codex-command' }, machine);
    assert.deepEqual([ok, detail], [false, 'the team requires the sandbox: switched off']);
  });

  it('is shown with its version and the layers that hold it', async (t) => {
    const machine = { programs: { codex: 'codex-cli 1.2.3' }, keys: KEY };
    assert.deepEqual(await trial(t, CODEX, machine), {
      ok: true,
      detail: 'codex, version 1.2.3',
      layers: ['environment', 'git-shim'],
    });
  });

  it('of an unknown kind is only looked for, not run', async (t) => {
    const { ok, detail } = await trial(t, { driver: 'command', command: ['mine'] }, { programs: { mine: 'hello' } });
    assert.deepEqual([ok, detail], [true, 'mine']);
  });

  it('opens a session where it speaks ACP, and leaves nothing behind', async (t) => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('devloop-trial-'));
    const { ok, detail, layers } = await trial(t, { driver: 'acp', command: [process.execPath, ACP_AGENT, 'answers'] });
    assert.deepEqual([ok, detail], [true, `${process.execPath}, opens a session over ACP`]);
    assert.deepEqual(layers, ['environment', 'git-shim', 'permission_policy', 'command_guard']);
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('devloop-trial-') && !before.includes(name));
    assert.deepEqual(left, []);
  });

  it('is told to speak another version of the protocol, or to want a login', async (t) => {
    const other = await trial(t, { driver: 'acp', command: [process.execPath, ACP_AGENT, 'wrong protocol version'] });
    assert.match(other.detail, /version 99 of the protocol, not 1$/);
    const login = await trial(t, { driver: 'acp', command: [process.execPath, ACP_AGENT, 'asks to authenticate'] });
    assert.match(login.detail, /set auth_method to one of key$/);
    assert.deepEqual([other.ok, login.ok], [false, false]);
  });

  it('is told to have no such recording', async (t) => {
    assert.equal((await trial(t, { driver: 'recorded', recording: 'todo' })).ok, true);
    assert.equal((await trial(t, { driver: 'recorded', recording: 'none-such' })).ok, false);
  });

  it('is asked once, whatever number of roles it serves', async (t) => {
    const [all, coder] = await trials(
      t,
      { default: { driver: 'recorded' }, roles: { coder: CODEX, tester: { driver: 'recorded' } } },
      { keys: KEY },
    );
    assert.deepEqual([all?.ok, all?.roles.length, coder?.ok, coder?.roles], [true, 5, false, ['coder']]);
  });

  it('cannot be tried where the sandbox is required and absent', async () => {
    const options = { templates: TEMPLATES, path: '/nonexistent', secret: () => undefined };
    await assert.rejects(tryTeam({ default: { driver: 'recorded' } }, { ...options, sandbox: 'required' }), (error) =>
      isDevLoopError(error, 'config_invalid'),
    );
  });
});

describe('an endpoint that is tried', () => {
  async function endpoint(t: TestContext, status: number): Promise<string> {
    const server = createServer((request, response) => {
      const known = request.headers.authorization === 'Bearer right' && request.url === '/v1/models';
      response.writeHead(known ? status : 401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    t.after(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  it('is asked for its models with the key', async (t) => {
    const base_url = await endpoint(t, 200);
    const preset = { preset: 'openai', base_url, model: 'm' } as const;
    assert.deepEqual(await trial(t, preset, { keys: { OPENAI_API_KEY: 'right' } }), {
      ok: true,
      detail: `m at ${base_url}, which answers`,
      layers: ['tool_jail'],
    });
    const wrong = await trial(t, preset, { keys: { OPENAI_API_KEY: 'wrong' } });
    assert.deepEqual([wrong.ok, wrong.detail], [false, `${base_url} refuses the key (401)`]);
    const none = await trial(t, preset);
    assert.deepEqual([none.ok, none.detail], [false, 'the environment variable OPENAI_API_KEY is not set']);
  });

  it('may lack the list of models', async (t) => {
    const preset = { preset: 'openai', base_url: await endpoint(t, 404), model: 'm' } as const;
    assert.equal((await trial(t, preset, { keys: { OPENAI_API_KEY: 'right' } })).ok, true);
  });

  it('is told to be out of reach', async (t) => {
    const preset = { preset: 'openai', base_url: 'http://127.0.0.1:1/v1', model: 'm' } as const;
    const { ok, detail } = await trial(t, preset, { keys: { OPENAI_API_KEY: 'right' } });
    assert.equal(ok, false);
    assert.match(detail, /^http:\/\/127\.0\.0\.1:1\/v1 cannot be reached: /);
  });
});
