import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { bareEnvironment, CLI, type RunningServer, startServer } from '../support/running-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { randomText } from '../support/secrets/kinds.ts';

const TOKEN = ['gh', 'p_', randomText('a person pasted it', 36)].join('');

/** The kinds and names of a project's events so far. */
async function timeline(server: RunningServer, pid: string) {
  const { body } = await server.api('GET', `/api/devloop/projects/${pid}/timeline?limit=500`);
  return body.items as readonly {
    readonly kind: string;
    readonly sha?: string;
    readonly findings?: readonly object[];
  }[];
}

describe('a secret that got into a project', () => {
  it('is told on the timeline, and stays on this machine until a person allows it by hand', async (t) => {
    const folder = scratchFolder(t);
    const data = join(folder, 'data');
    const server = await startServer(data, folder);
    try {
      const requirement = `A list of issues that is read from the tracker with the token ${TOKEN}`;
      const { body } = await server.api('POST', '/api/devloop/projects', { requirement });
      const at = `/api/devloop/projects/${body.pid}`;
      const refused = await server.api('GET', `${at}/archive`);
      assert.deepEqual([refused.status, refused.body.code], [409, 'findings_open']);
      const clone = () =>
        execFileSync(
          'git',
          ['clone', '-q', `http://x:${server.token}@${new URL(server.url).host}/git/default/${body.pid}.git`],
          {
            cwd: folder,
            env: bareEnvironment(folder),
            stdio: 'pipe',
          },
        );
      assert.throws(clone, /409/);

      const [told, ...more] = (await timeline(server, body.pid)).filter(({ kind }) => kind === 'secret_found');
      assert.deepEqual([more.length, told?.sha], [0, body.head]);
      const { items } = (await server.api('GET', `${at}/findings`)).body;
      assert.deepEqual(
        items.map(({ path, rule, open }: Record<string, string>) => [path, rule, open]),
        [['project.json', 'github', true]],
      );
      assert.doesNotMatch(JSON.stringify([told, items, refused.body]), new RegExp(TOKEN));

      const [{ blob, rule }] = items;
      const argv = ['--disable-warning=ExperimentalWarning', CLI, 'findings', body.pid, '--data', data];
      const cli = (...rest: readonly string[]) =>
        execFileSync(process.execPath, [...argv, ...rest], { env: bareEnvironment(folder), encoding: 'utf8' });
      assert.match(cli(), new RegExp(`open +project.json:\\d+ +[0-9a-f]{7} +${blob}:${rule}`));
      cli('--allow', `${blob}:${rule}`);
      assert.equal((await server.api('GET', `${at}/archive`)).status, 200);
      clone();
      assert.equal((await timeline(server, body.pid)).filter(({ kind }) => kind === 'secret_found').length, 1);
    } finally {
      await server.stop();
    }
  });
});
