import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { tryTeam } from '../server/app-team.ts';
import { isDevLoopError } from '../server/domain/errors.ts';
import { teamInputSchema } from '../server/domain/team-presets.ts';
import { TEMPLATES } from './support/agents-lab.ts';
import { scratchFolder } from './support/scratch-folder.ts';

/** A home with programs in it: what each does. */
function home(t: TestContext, programs: Readonly<Record<string, string>>) {
  const folder = scratchFolder(t);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  for (const [name, does] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\n${does}\n`, { mode: 0o755 });
  const options = { templates: TEMPLATES, path: `${bin}:/usr/bin:/bin`, home: folder, secret: () => 'key' };
  return { bin, options: { ...options, sandbox: 'required' as const } };
}

const CODEX = teamInputSchema.parse({ default: { preset: 'codex-command' } });

describe('an agent that is installed in the home', () => {
  it('is told to be out of sight in the sandbox', async (t) => {
    const { options } = home(t, { codex: 'echo codex-cli 1.0.0' });
    const [trial] = await tryTeam(CODEX, options);
    assert.equal(trial?.ok, false);
    assert.match(trial?.detail ?? '', /^codex cannot be run where agents run .*sandbox_readable/);
  });

  it('is seen where its folder is named, and held by every layer', async (t) => {
    const { bin, options } = home(t, { codex: 'echo codex-cli 1.0.0' });
    const [trial] = await tryTeam(CODEX, { ...options, readable: [bin] });
    assert.deepEqual(
      [trial?.detail, trial?.layers],
      ['codex, version 1.0.0', ['environment', 'git-shim', 'bubblewrap']],
    );
  });

  it('finds there no git that works', async (t) => {
    const { bin, options } = home(t, {
      git: 'echo a git of my own',
      codex: `"$(dirname "$0")"/git --version; exit $?`,
    });
    const [trial] = await tryTeam(CODEX, { ...options, readable: [bin] });
    assert.equal(trial?.ok, false);
    assert.match(trial?.detail ?? '', /git is not available here/);
  });

  it('cannot be shown by a folder that is not there', async (t) => {
    const { bin, options } = home(t, {});
    await assert.rejects(tryTeam(CODEX, { ...options, readable: [join(bin, 'none')] }), (error) =>
      isDevLoopError(error, 'config_invalid'),
    );
  });
});
