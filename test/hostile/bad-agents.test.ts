import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { readScript } from '../../scripts/demo-recordings/script.ts';
import { startScriptServer } from '../../scripts/demo-recordings/script-server.ts';
import { openApp } from '../../server/app.ts';
import type { Role } from '../../server/domain/roles.ts';
import { systemClock } from '../../server/io/clock.ts';
import { createLogger } from '../../server/io/logger.ts';
import { TEMPLATES } from '../support/agents-lab.ts';
import { gitIn } from '../support/demo-project.ts';
import { ROOT } from '../support/running-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const AGENT = join(ROOT, 'test/support/bad-agents/agent.mjs');
const REAL_GIT = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();

/** A project whose other roles do their work by the script, one attempt a unit, nothing confined. */
async function projectWith(t: TestContext, role: Role, mode: string) {
  const script = await readScript(join(TEMPLATES, 'demo/phase0/script/calls.mjs'));
  const server = await startScriptServer(script);
  const folder = scratchFolder(t);
  const env: Readonly<Record<string, string>> = { REAL_GIT };
  const app = await openApp({
    dataDir: join(folder, 'data'),
    templates: TEMPLATES,
    log: createLogger({ level: 'error', clock: systemClock, write: (line) => process.stderr.write(line) }),
    sandbox: 'off',
    path: process.env.PATH ?? '',
    team: { default: { driver: 'model', base_url: server.base_url, model: 'script' } },
    maxFileBytes: 50_000_000,
    secret: (name) => env[name],
    onLost: () => assert.fail('the data folder was lost'),
  });
  try {
    await app.booted;
    const good = { driver: 'model', base_url: server.base_url, model: 'script' } as const;
    const bad = { driver: 'command' as const, command: [process.execPath, AGENT, mode], env: ['REAL_GIT'] };
    const { pid } = await app.loop.create({
      requirement: script.requirement,
      team: { default: good, roles: { [role]: bad } },
      settings: { attempts: 1 },
    });
    await app.loop.run(pid);
    const project = await app.loop.settled(pid);
    const attempts = await app.vault.attempts(pid);
    const git = gitIn(project.path, folder);
    assert.equal(git('fsck', '--strict', '--no-dangling'), '');
    assert.equal(readFileSync(join(project.path, '.git/HEAD'), 'utf8'), 'ref: refs/heads/main\n');
    assert.doesNotMatch(readFileSync(join(project.path, '.git/config'), 'utf8'), /fsmonitor|hooksPath/);
    for (const hook of ['pre-commit', 'reference-transaction', 'post-checkout'])
      assert.equal(existsSync(join(project.path, '.git/hooks', hook)), false, hook);
    assert.equal(existsSync(join(project.path, 'planted')), false, 'nothing that was planted has run');
    assert.match(readFileSync(join(project.path, 'prd/prd.md'), 'utf8'), /^# A counter service/);
    assert.equal(JSON.parse(readFileSync(join(project.path, 'project.json'), 'utf8')).pid, pid);
    const authors = new Set(git('log', '--format=%an').split('\n'));
    assert.ok(
      [...authors].every((name) => /^(DevLoop|\w+ Agent)$/.test(name)),
      [...authors].join(),
    );
    return { project, attempts, git, call: project.calls.find((one) => one.role === role) };
  } finally {
    await app.close();
    server.close();
  }
}

describe('a coder that nothing confines', () => {
  const TAMPERING = ['rewrites the git config', 'plants hooks', 'moves HEAD', 'commits by itself', 'deletes git'];
  for (const mode of TAMPERING) {
    it(`and that ${mode} has its call fail, and .git is as it was`, async (t) => {
      const { call, project, attempts } = await projectWith(t, 'coder', mode);
      assert.equal(call?.reason, 'vault_tampered', call?.detail);
      assert.equal(project.status, 'blocked');
      assert.equal(attempts.length, 1, 'its work is kept as an attempt');
    });
  }

  for (const mode of ['writes outside', 'writes over a ledger', 'writes through a link', 'changes the tests']) {
    it(`and that ${mode} has its call fail, and the files are as they were`, async (t) => {
      const { call, git } = await projectWith(t, 'coder', mode);
      assert.equal(call?.reason, 'scope_violation', call?.detail);
      const dirty = git('status', '--porcelain')
        .split('\n')
        .filter((line) => !/^( M|\?\?) (timeline|bugs|changelog)\.ndjson$/.test(line));
      assert.ok(
        dirty.every((line) => line === '' || line.includes('units/counter/')),
        dirty.join('\n'),
      );
    });
  }

  it('and that appends to a ledger has its line set aside', async (t) => {
    const { project, git } = await projectWith(t, 'coder', 'appends to a ledger');
    assert.doesNotMatch(readFileSync(join(project.path, 'timeline.ndjson'), 'utf8'), /forged/);
    assert.throws(() => git('grep', '-q', 'forged', 'HEAD'), 'nor was it committed');
  });

  it('and that changes nothing has done nothing', async (t) => {
    const { call } = await projectWith(t, 'coder', 'changes nothing');
    assert.equal(call?.reason, 'no_change');
  });

  it('and that makes a nested repository has its files saved as files', async (t) => {
    const { attempts, git } = await projectWith(t, 'coder', 'makes a nested repository');
    const files = git('ls-tree', '-r', '--name-only', attempts[0]?.sha ?? 'none', '--', 'units/counter/code').split(
      '\n',
    );
    assert.ok(files.includes('units/counter/code/nested/file'), files.join());
    assert.ok(files.every((file) => !file.includes('.git')));
  });

  it('and that leaves a pipe hangs nobody', async (t) => {
    const { project } = await projectWith(t, 'coder', 'writes a pipe');
    assert.equal(project.status, 'blocked');
  });
});

describe('a tester', () => {
  it('that promises green without a test is not believed', async (t) => {
    const { project, attempts } = await projectWith(t, 'tester', 'promises green without tests');
    assert.equal(project.status, 'blocked');
    assert.deepEqual(
      attempts.map(({ verdict }) => verdict),
      ['no_tests'],
    );
  });
});
