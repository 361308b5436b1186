import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCliProcess, startCli } from '../support/cli-process.ts';
import { ROOT } from '../support/running-server.ts';

const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** The words after `devloop` of each line of the tour; `npm run demo` is `demo`. */
function tour(): readonly (readonly string[])[] {
  const [, block = ''] = /## A two-minute tour\n+```sh\n([\s\S]*?)```/.exec(README) ?? [];
  const lines = block
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, ''));
  return lines.map((line) => line.replace(/^npm run (-s devloop -- )?/, '').split(' '));
}

describe('the tour of the README', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'devloop-readme-'));
  let pid: string;
  before(async () => {
    const demo = await runCliProcess(['demo', '--json'], { cwd });
    assert.equal(demo.status, 0, demo.err);
    ({ pid } = demo.json);
  });
  after(() => rmSync(cwd, { recursive: true, force: true }));

  it('begins with the demo and ends with the server', () => {
    const names = tour().map(([name]) => name);
    assert.equal(names[0], 'demo');
    assert.equal(names.at(-1), 'serve');
  });

  it('works line by line', async () => {
    for (const words of tour().slice(1, -1)) {
      const ran = await runCliProcess(
        words.map((word) => (word === 'PID' ? pid : word)),
        { cwd },
      );
      assert.equal(ran.status, 0, `${words.join(' ')}: ${ran.err}`);
      assert.notEqual(ran.out, '', words.join(' '));
    }
    assert.equal(existsSync(join(cwd, 'project.zip')), true);
  });

  it('its call of the API creates a project', async () => {
    const server = startCli(['serve', '--port', '0', '--json'], { cwd });
    const line = await new Promise<string>((resolve) =>
      server.child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString())),
    );
    const { url } = JSON.parse(line) as { url: string };
    const answer = await asCurl(/```sh\n(curl [\s\S]*?)```/.exec(README)?.[1] ?? '', { cwd, url });
    assert.equal(answer.status, 201);
    assert.match(((await answer.json()) as { pid: string }).pid, /^p-[a-z2-7]{8}$/);
    server.child.kill('SIGTERM');
    assert.equal((await server.ended).status, 0);
  });
});

/** Sends what a curl line says, without curl. */
function asCurl(line: string, { cwd, url }: { readonly cwd: string; readonly url: string }): Promise<Response> {
  const [, method = '', address = ''] = /-X (\w+) (\S+)/.exec(line) ?? [];
  const token = readFileSync(join(cwd, 'data', '.devloop', 'token'), 'utf8').trim();
  const headers = [...line.matchAll(/-H ["'](.+?): (.+?)["'] /g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value.replace('$(cat data/.devloop/token)', token),
  ]);
  return fetch(url + new URL(address).pathname, { method, headers, body: /-d '(.+)'/.exec(line)?.[1] ?? null });
}
