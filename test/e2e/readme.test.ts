import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runCliProcess } from '../support/cli-process.ts';
import { bareEnvironment, CLI, ROOT, startServer } from '../support/running-server.ts';

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

  it('its calls of the API create projects, with the team that it shows too', async () => {
    const server = await startServer(join(cwd, 'data'), cwd);
    const answer = await asCurl(block('sh', 'curl'), { cwd, url: server.url });
    assert.equal(answer.status, 201);
    assert.match(((await answer.json()) as { pid: string }).pid, /^p-[a-z2-7]{8}$/);
    const teamed = await server.api('POST', '/api/devloop/projects', JSON.parse(block('json', '{')));
    assert.equal(teamed.status, 201, JSON.stringify(teamed.body));
    assert.equal(await server.stop(), 0);
  });

  it('its turn on a folder of one’s own is undone and redone', () => {
    const [work, bin] = [join(cwd, 'my-project'), join(cwd, 'bin')];
    for (const folder of [work, bin]) mkdirSync(folder);
    writeFileSync(join(work, 'a.js'), 'one\n');
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho two >> a.js\n', { mode: 0o755 });
    const devloop = `devloop() { "${process.execPath}" --disable-warning=ExperimentalWarning "${CLI}" "$@"; }`;
    // Nobody is there to be asked.
    const lines = block('sh', 'cd my-project').replace(/^devloop undo/m, '$& --yes');
    const env = bareEnvironment(cwd, { PATH: `${bin}:${process.env.PATH}`, DEVLOOP_STATE_DIR: join(cwd, 'state') });
    const ran = spawnSync('bash', ['-eu', '-c', `${devloop}\n${lines}`], { cwd, encoding: 'utf8', env });
    assert.equal(ran.status, 0, ran.stdout + ran.stderr);
    assert.equal(readFileSync(join(work, 'a.js'), 'utf8'), 'one\ntwo\n');
  });

  it('it names scripts that there are, and shows nothing that no test here runs', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...README.matchAll(/npm (?:run (?:-s )?)?([a-z][\w:-]*)/g)].map(([, name = '']) => name);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      ['and'],
      'but for "npm and git"',
    );
    assert.equal(README.match(/^```\w+$/gm)?.length, 5);
  });
});

/** The text of the block that begins with these words. */
function block(language: string, begin: string): string {
  return README.split(`\`\`\`${language}\n`)
    .filter((text) => text.startsWith(begin))
    .map((text) => text.slice(0, text.indexOf('```')))
    .join('');
}

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
