import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { bareEnvironment, CLI, ROOT, type RunningServer, startServer } from '../support/running-server.ts';

/** The shell blocks of docs/workspaces.md, in order. */
const blocks = [...readFileSync(join(ROOT, 'docs/workspaces.md'), 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, block]) => block ?? '',
);

describe('the examples of docs/workspaces.md', () => {
  const home = mkdtempSync(join(tmpdir(), 'devloop-docs-'));
  const work = join(home, 'work');
  const state = { DEVLOOP_STATE_DIR: join(home, 'state') };
  const known: Record<string, string> = { WORK: work };
  let server: RunningServer;
  before(async () => {
    mkdirSync(work);
    writeFileSync(join(work, 'app.js'), 'start();\n');
    writeFileSync(join(work, 'notes.txt'), 'notes\n');
    writeFileSync(join(work, '.env'), 'KEY=1\n');
    server = await startServer(join(home, 'data'), home, state);
    Object.assign(known, { API: `${server.url}/api`, TOKEN: server.token });
  });
  after(async () => {
    assert.equal(await server.stop(), 0);
    rmSync(home, { recursive: true, force: true });
  });

  /** Runs a block as it stands. What its last answer is called in a comment, the next blocks know by that name. */
  function run(block: string): string {
    const devloop = `devloop() { "${process.execPath}" --disable-warning=ExperimentalWarning "${CLI}" "$@"; }\n`;
    const shell = spawnSync('bash', ['-eu', '-o', 'pipefail', '-c', devloop + block], {
      cwd: work,
      encoding: 'utf8',
      // With a socket for its input bash reads the files of a login.
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...bareEnvironment(home, state), ...known },
    });
    assert.equal(shell.status, 0, `${block}\n${shell.stdout}${shell.stderr}`);
    assert.doesNotMatch(shell.stdout, /"code":"[a-z_]+"/, block);
    for (const [, member = '', name = ''] of block.matchAll(/its (\w+) is (\w+) below/g)) {
      known[name] = JSON.parse(shell.stdout)[member];
      assert.equal(typeof known[name], 'string', `${member} of ${shell.stdout}`);
    }
    return shell.stdout;
  }

  it('run as they stand, one after the other, and do what the text says', () => {
    assert.ok(blocks.length > 8);
    const said = blocks.map(run);
    assert.equal(readFileSync(join(work, 'app.js'), 'utf8'), 'start();\n// by the agent\nby the agent\n');
    assert.equal(readFileSync(join(`${work}-before`, 'app.js'), 'utf8'), 'start();\n// by the agent\n');
    assert.equal(existsSync(join(work, '.env')), true);
    assert.match(said.join(''), /^\+by the agent$/m);
    assert.match(said.at(-1) ?? '', /"problems":\[\]/);
  });
});
