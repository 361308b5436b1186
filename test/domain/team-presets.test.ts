import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type RoleTeam, teamSchema } from '../../server/domain/team.ts';
import { PRESETS, type Preset, teamInputSchema } from '../../server/domain/team-presets.ts';

const PROGRAM = { network: true, sandbox: 'required' } as const;
const URL_OF_MODEL = 'http://127.0.0.1:9/v1';

const TABLE: Readonly<Record<Preset, RoleTeam>> = {
  opencode: { driver: 'acp', command: ['opencode', 'acp'], env: ['OPENCODE_CONFIG_CONTENT'], ...PROGRAM },
  'opencode-command': {
    driver: 'command',
    command: ['opencode', 'run'],
    env: ['OPENCODE_CONFIG_CONTENT'],
    ...PROGRAM,
  },
  gemini: {
    driver: 'acp',
    command: ['gemini', '--acp', '--skip-trust'],
    auth_method: 'gemini-api-key',
    env: ['GEMINI_API_KEY'],
    ...PROGRAM,
  },
  'gemini-command': {
    driver: 'command',
    command: ['gemini', '--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
    continue_with: [
      ...['gemini', '--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
      ...['--resume', '{session}'],
    ],
    decoder: 'gemini',
    env: ['GEMINI_API_KEY'],
    ...PROGRAM,
  },
  codex: { driver: 'acp', command: ['codex-acp'], env: ['OPENAI_API_KEY'], ...PROGRAM },
  'codex-command': {
    driver: 'command',
    command: ['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '-'],
    continue_with: [
      ...['codex', 'exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access'],
      ...['resume', '{session}', '-'],
    ],
    decoder: 'codex',
    env: ['CODEX_API_KEY'],
    ...PROGRAM,
  },
  claude: { driver: 'acp', command: ['claude-agent-acp'], env: ['ANTHROPIC_API_KEY'], ...PROGRAM },
  'claude-command': {
    driver: 'command',
    command: [
      ...['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
      ...['--allowedTools', 'Bash,Edit,Write,Read,Glob,Grep'],
    ],
    continue_with: [
      ...['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
      ...['--allowedTools', 'Bash,Edit,Write,Read,Glob,Grep', '--resume', '{session}'],
    ],
    decoder: 'claude',
    env: ['ANTHROPIC_API_KEY'],
    ...PROGRAM,
  },
  openai: { driver: 'model', base_url: URL_OF_MODEL, model: 'm', api_key_env: 'OPENAI_API_KEY' },
};

const parsed = (given: unknown): RoleTeam => teamInputSchema.parse({ default: given }).default;
const faults = (given: unknown): readonly string[] =>
  teamInputSchema.safeParse({ default: given }).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('a preset', () => {
  for (const preset of PRESETS) {
    it(`${preset} stands for settings that a project can keep`, () => {
      const given = preset === 'openai' ? { preset, base_url: URL_OF_MODEL, model: 'm' } : { preset };
      assert.deepEqual(parsed(given), TABLE[preset]);
      assert.ok(teamSchema.safeParse({ default: parsed(given) }).success);
    });
  }

  it('tells its program the model, where that takes it as an argument', () => {
    const told = PRESETS.filter((preset) => preset !== 'openai').filter((preset) => {
      const team = parsed({ preset, model: 'the-model' });
      assert.equal('model' in team && team.model, 'the-model');
      return 'command' in team && team.command.includes('the-model');
    });
    assert.deepEqual(told, ['opencode-command', 'gemini', 'gemini-command', 'codex-command', 'claude-command']);
  });

  it('gives way to what a person wants otherwise', () => {
    const wishes = { env: ['OTHER_KEY'], sandbox: 'off', network: false, price: { input: 1, output: 2 } } as const;
    assert.deepEqual(parsed({ preset: 'codex', ...wishes }), { ...TABLE.codex, ...wishes });
    const key = { preset: 'openai', base_url: URL_OF_MODEL, model: 'm', api_key_env: 'OTHER_KEY' };
    assert.deepEqual(parsed(key), { ...TABLE.openai, api_key_env: 'OTHER_KEY' });
  });

  it('may serve single roles beside other drivers', () => {
    const team = { default: { preset: 'claude' }, roles: { coder: { preset: 'codex' }, pm: { driver: 'recorded' } } };
    assert.deepEqual(teamInputSchema.parse(team), {
      default: TABLE.claude,
      roles: { coder: TABLE.codex, pm: { driver: 'recorded' } },
    });
  });

  it('is refused with the member that is wrong', () => {
    assert.deepEqual(faults({ preset: 'openai', model: 'm' }), ['default.base_url']);
    assert.deepEqual(faults({ preset: 'nobody' }), ['default.preset']);
    assert.deepEqual(faults({}), ['default.preset']);
    assert.deepEqual(faults({ preset: 'codex', base_url: URL_OF_MODEL }), ['default']);
    assert.deepEqual(faults({ driver: 'acp' }), ['default.command']);
  });

  it('is in the table of docs/agents.md', () => {
    const text = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');
    const rows = (text.split('## Presets')[1] ?? '').split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.map((row) => row.split('`')[1] ?? '');
    assert.deepEqual(
      PRESETS.filter((preset) => !named.includes(preset)),
      [],
    );
    for (const [preset, team] of Object.entries(TABLE)) {
      const row = rows.find((line) => line.startsWith(`| \`${preset}\``)) ?? '';
      if ('command' in team) assert.ok(row.includes(`\`${team.command.join(' ')}\``), row);
      for (const name of 'env' in team ? (team.env ?? []) : []) assert.ok(row.includes(`\`${name}\``), row);
    }
  });
});
