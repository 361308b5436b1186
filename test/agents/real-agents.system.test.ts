import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readScript } from '../../scripts/demo-recordings/script.ts';
import { startScriptServer } from '../../scripts/demo-recordings/script-server.ts';
import { openApp } from '../../server/app.ts';
import type { RoleTeam } from '../../server/domain/team.ts';
import { teamInputSchema } from '../../server/domain/team-presets.ts';
import { systemClock } from '../../server/io/clock.ts';
import { createLogger } from '../../server/io/logger.ts';
import { CODER_INPUT, coderContext, LIMITS } from '../support/agent-context.ts';
import { agentFolders, TEMPLATES, wholeManager } from '../support/agents-lab.ts';
import { gitIn } from '../support/demo-project.ts';
import { realAgent } from '../support/real-agents.ts';
import { ROOT } from '../support/running-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { geminiModel, responsesModel } from '../support/vendor-models.ts';

const PATIENT = { ...LIMITS, wall_ms: 120_000, idle_ms: 120_000, output_bytes: 20_000_000, write_bytes: 500_000_000 };

/** One coder's call of a real agent. */
async function code(t: TestContext, team: RoleTeam, env: Readonly<Record<string, string>> = {}) {
  const context = coderContext(t, { team, limits: PATIENT });
  const outcome = await (await wholeManager(t, env, 'auto')).callAgent('coder', CODER_INPUT, context);
  assert.equal(outcome.kind, 'completed', JSON.stringify(outcome));
  assert.equal(readFileSync(join(context.root, 'units/store/code/a.mjs'), 'utf8').trim(), 'export {};');
  return outcome;
}

describe('real agents', () => {
  it('Codex does a role by `codex exec --json`', async (t) => {
    const provider = `{name="loop",base_url="${await responsesModel(t)}/v1",wire_api="responses"}`;
    const config = ['-c', 'model_provider=loop', '-c', `model_providers.loop=${provider}`];
    const outcome = await code(t, presetOf('codex-command', { program: realAgent('codex'), more: config }), {
      CODEX_API_KEY: 'no-key-at-all',
    });
    assert.deepEqual(outcome.record.usage, { input_tokens: 20, output_tokens: 10 });
  });

  it('Gemini CLI does a role by `gemini --output-format stream-json`', async (t) => {
    const env = {
      GEMINI_API_KEY: 'no-key-at-all',
      GOOGLE_GEMINI_BASE_URL: await geminiModel(t),
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(ROOT, 'test/support/gemini-settings.json'),
    };
    const team = presetOf('gemini-command', { program: realAgent('gemini'), model: 'gemini-2.5-flash' });
    const outcome = await code(t, { ...team, env: Object.keys(env) }, env);
    assert.deepEqual(outcome.record.usage, { input_tokens: 20, output_tokens: 10 });
  });

  it('opencode ships a whole project by `opencode acp`', async (t) => {
    const script = await readScript(join(TEMPLATES, 'demo/phase0/script/calls.mjs'));
    const server = await startScriptServer(script, inOpencodesWords);
    const folder = scratchFolder(t);
    const env = opencodeSettings(server.base_url);
    const command = [realAgent('opencode'), 'acp'];
    const app = await openApp({
      dataDir: join(folder, 'data'),
      templates: TEMPLATES,
      log: createLogger({ level: 'error', clock: systemClock, write: (line) => process.stderr.write(line) }),
      sandbox: 'auto',
      readable: agentFolders(),
      path: process.env.PATH ?? '',
      team: { default: { driver: 'acp', command, network: true, env: Object.keys(env) } },
      maxFileBytes: 50_000_000,
      secret: (name) => env[name],
      onLost: () => assert.fail('the data folder was lost'),
    });
    try {
      await app.booted;
      const { pid } = await app.loop.create({ requirement: script.requirement });
      await app.loop.run(pid);
      const project = await app.loop.settled(pid);
      assert.equal(project.status, 'shipped', `${project.reason}: ${project.detail}`);
      const subjects = gitIn(project.path, folder)('log', '--reverse', '--format=%s').split('\n');
      assert.deepEqual(
        [subjects.length, subjects[3], subjects.at(-1)],
        [7, 'code(counter): retry → green · attempt 2', 'ship: prd@1 sdd@1'],
      );
    } finally {
      await app.close();
      server.close();
    }
  });
});

/** A preset whose program is a script that was installed for the test. @param more arguments before the last one. */
function presetOf(
  preset: 'codex-command' | 'gemini-command',
  { program, model = 'script', more = [] }: { program: string; model?: string; more?: readonly string[] },
): Extract<RoleTeam, { driver: 'command' }> {
  const team = teamInputSchema.parse({ default: { preset, model, sandbox: 'auto' } }).default;
  assert.ok(team.driver === 'command');
  const [, ...rest] = team.command;
  const args = more.length === 0 ? rest : [...rest.slice(0, -1), ...more, ...rest.slice(-1)];
  return { ...team, command: [process.execPath, program, ...args] };
}

/** Its tools have other names and arguments than ours. */
function inOpencodesWords([name, args]: [string, Record<string, unknown>]): [string, Record<string, unknown>] {
  const { path: filePath, content, old_text: oldString, new_text: newString } = args;
  if (name === 'read_file') return ['read', { filePath }];
  return name === 'write_file' ? ['write', { filePath, content }] : ['edit', { filePath, oldString, newString }];
}

function opencodeSettings(baseURL: string): Readonly<Record<string, string>> {
  const models = { script: { name: 'script' } };
  const loop = {
    npm: '@ai-sdk/openai-compatible',
    name: 'Loop',
    options: { baseURL, apiKey: 'no-key-at-all' },
    models,
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'loop/script',
    small_model: 'loop/script',
    provider: { loop },
  };
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
  };
}
