import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { COMMANDS } from '../../server/cli/registry.ts';
import { runCliProcess, startCli } from '../support/cli-process.ts';

/** Examples of the help that need a server or a loop of their own; the others are run in test/cli/. */
describe('the examples of the demos and of the server', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'devloop-examples-'));
  after(() => rmSync(cwd, { recursive: true, force: true }));
  const examples = async (name: string) => ((await COMMANDS[name]?.())?.examples ?? []).map(({ command }) => command);

  for (const command of await examples('demo')) {
    it(command, async () => {
      const [line = '', filter] = command.split(' | ');
      const ran = await runCliProcess(line.split(' ').slice(1), { cwd });
      assert.equal(ran.status, 0, ran.err);
      const member = /^jq \.(\w+)$/.exec(filter ?? '')?.[1];
      assert.notEqual(member === undefined ? ran.out : ran.json[member], undefined);
      assert.ok(member !== undefined || ran.out.split('\n').length > 5, ran.out);
    });
  }

  for (const command of await examples('serve')) {
    it(command, async () => {
      // The usual port may be in use.
      const server = startCli(command.split(' ').slice(1), { cwd, env: { DEVLOOP_PORT: '0' } });
      const said = await new Promise<string>((resolve) =>
        server.child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())),
      );
      const url = command.includes('--json')
        ? (JSON.parse(said.split('\n')[0] ?? '') as { url: string }).url
        : (/http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? said);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      server.child.kill('SIGTERM');
      assert.equal((await server.ended).status, 0);
    });
  }
});
