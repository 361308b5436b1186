import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScript } from '../../scripts/demo-recordings/script.ts';
import { startScriptServer } from '../../scripts/demo-recordings/script-server.ts';
import { openApp } from '../../server/app.ts';
import type { Attempt } from '../../server/domain/commit.ts';
import type { SettingsInput } from '../../server/domain/project.ts';
import type { Role } from '../../server/domain/roles.ts';
import type { RoleTeam } from '../../server/domain/team.ts';
import { systemClock } from '../../server/io/clock.ts';
import { createLogger } from '../../server/io/logger.ts';
import type { ProjectView } from '../../server/loop/index.ts';
import { TEMPLATES } from './agents-lab.ts';
import { gitIn } from './demo-project.ts';
import { MARK_VARIABLE, marked } from './marked-processes.ts';
import { ROOT } from './running-server.ts';

const REAL_GIT = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
const PROGRAMS = { command: 'agent.mjs', acp: 'acp-agent.mjs' } as const;

export interface BadCall {
  readonly project: ProjectView;
  readonly call: ProjectView['calls'][number] | undefined;
  readonly attempts: readonly Attempt[];
  readonly git: ReturnType<typeof gitIn>;
}

/** A server on which one role of each project is a bad agent, and the others work by a script; nothing is confined. */
export interface BadTeam {
  /** A program of the kit in one of its modes. */
  agent(driver: keyof typeof PROGRAMS, mode: string): RoleTeam;
  /** Takes a project as far as it goes with one attempt a unit, and looks whether it is as a project must be. */
  play(role: Role, team: RoleTeam, limits?: SettingsInput['limits']): Promise<BadCall>;
  close(): Promise<void>;
}

export async function openBadTeam(folder: string): Promise<BadTeam> {
  const script = await readScript(join(TEMPLATES, 'demo/phase0/script/calls.mjs'));
  const server = await startScriptServer(script);
  const mark = randomUUID();
  const env: Readonly<Record<string, string>> = { REAL_GIT, [MARK_VARIABLE]: mark };
  const good = { driver: 'model', base_url: server.base_url, model: 'script' } as const;
  const app = await openApp({
    dataDir: join(folder, 'data'),
    templates: TEMPLATES,
    log: createLogger({ level: 'error', clock: systemClock, write: (line) => process.stderr.write(line) }),
    sandbox: 'off',
    path: process.env.PATH ?? '',
    team: { default: good },
    maxFileBytes: 50_000_000,
    secret: (name) => env[name],
    onLost: () => assert.fail('the data folder was lost'),
  });
  await app.booted;
  return {
    agent: (driver, mode) => ({
      driver,
      command: [process.execPath, join(ROOT, 'test/support/bad-agents', PROGRAMS[driver]), mode],
      env: Object.keys(env),
    }),
    play: async (role, team, limits) => {
      const { pid } = await app.loop.create({
        requirement: script.requirement,
        team: { default: good, roles: { [role]: team } },
        settings: { attempts: 1, ...(limits && { limits }) },
      });
      await app.loop.run(pid);
      const project = await app.loop.settled(pid);
      const git = gitIn(project.path, folder);
      mustBeSound(project, git);
      assert.deepEqual(marked(mark), [], 'no process is left');
      const call = project.calls.find((one) => one.role === role);
      return { project, call, attempts: await app.vault.attempts(pid), git };
    },
    close: async () => {
      await app.close();
      server.close();
    },
  };
}

/** `.git` is the server's, nothing that was planted has run, and all that changed is the unit's and the ledgers' own. */
function mustBeSound({ path, pid }: ProjectView, git: ReturnType<typeof gitIn>): void {
  assert.equal(git('fsck', '--strict', '--no-dangling'), '');
  assert.equal(readFileSync(join(path, '.git/HEAD'), 'utf8'), 'ref: refs/heads/main\n');
  assert.doesNotMatch(readFileSync(join(path, '.git/config'), 'utf8'), /fsmonitor|hooksPath/);
  for (const hook of ['pre-commit', 'reference-transaction', 'post-checkout'])
    assert.equal(existsSync(join(path, '.git/hooks', hook)), false, hook);
  assert.equal(existsSync(join(path, 'planted')), false, 'nothing that was planted has run');
  assert.match(readFileSync(join(path, 'prd/prd.md'), 'utf8'), /^# A counter service/);
  assert.equal(JSON.parse(readFileSync(join(path, 'project.json'), 'utf8')).pid, pid);
  for (const ledger of ['timeline', 'bugs', 'changelog'].map((name) => join(path, `${name}.ndjson`)))
    assert.ok(!existsSync(ledger) || !readFileSync(ledger, 'utf8').includes('forged'), ledger);
  for (const author of git('log', '--format=%an').split('\n')) assert.match(author, /^(DevLoop|\w+ Agent)$/);
  const dirty = git('status', '--porcelain')
    .split('\n')
    .filter((line) => !/^( M|\?\?) (timeline|bugs|changelog)\.ndjson$/.test(line));
  for (const line of dirty) assert.ok(line === '' || line.includes('units/counter/'), line);
}
