import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { EXIT_OF_CODE } from '../../server/cli/exit-codes.ts';
import { COMMANDS } from '../../server/cli/registry.ts';
import { ERROR_CODES } from '../../server/domain/errors.ts';
import { type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';

describe('the command line', () => {
  let cli: CliUnderTest;
  before(async () => {
    cli = await cliUnderTest();
  });
  after(() => cli[Symbol.asyncDispose]());

  it('lists every command with its summary', async () => {
    const { status, out } = await cli.run(['--help']);
    assert.equal(status, 0);
    for (const name of Object.keys(COMMANDS)) assert.match(out, new RegExp(`^ {2}${name} `, 'm'));
    assert.equal((await cli.run([])).out, out);
  });

  it('helps with each command: its arguments, its flags and an example', async () => {
    for (const [name, load] of Object.entries(COMMANDS)) {
      const { status, out } = await cli.run([name, '--help']);
      const { summary, flags, examples } = await load();
      assert.equal(status, 0);
      assert.ok(out.replace(/\s+/g, ' ').includes(summary.replace(/\s+/g, ' ')), name);
      for (const { syntax } of Object.values(flags)) assert.ok(out.includes(syntax), `${name} ${syntax}`);
      assert.match(out, /--json/);
      assert.ok(examples.length > 0, name);
      for (const { command } of examples)
        assert.ok(out.includes(`$ ${command}\n`) && command.includes(`devloop ${name}`), command);
    }
  });

  it('says what was meant, and ends with 2', async () => {
    const { status, err } = await cli.run(['lst']);
    assert.equal(status, 2);
    assert.match(err, /Did you mean list\?/);
    const flag = await cli.run(['list', '--limt', '3']);
    assert.equal(flag.status, 2);
    assert.match(flag.err, /Did you mean --limit\?/);
    assert.equal((await cli.run(['show'])).status, 2);
    assert.equal((await cli.run(['list', '--limit', 'ten'])).status, 2);
    assert.equal((await cli.run(['list', '--status', 'odd'])).status, 2);
    assert.equal((await cli.run(['units', 'p-x', 'more'])).status, 2);
  });

  it('an error is one line and a hint on stderr, and an object with --json; stdout stays empty', async () => {
    const plain = await cli.run(['show', 'p-none']);
    assert.equal(plain.status, 5);
    assert.equal(plain.out, '');
    assert.match(plain.err, /^devloop: There is no project p-none\.\n$/);
    const json = await cli.json('show', 'NONE');
    assert.equal(json.status, 5);
    assert.equal(JSON.parse(json.err).error.code, 'project_not_found');
  });

  it('every code has an exit status of the list', () => {
    assert.deepEqual(Object.keys(EXIT_OF_CODE).sort(), [...ERROR_CODES].sort());
    for (const status of Object.values(EXIT_OF_CODE)) assert.ok([1, 2, 3, 4, 5, 6, 75].includes(status));
  });

  it('colours only on a terminal, and not with NO_COLOR', async () => {
    const { pid } = (await cli.json('new', 'x')).json;
    assert.ok(!(await cli.run(['log', pid])).out.includes('\u001b['));
    assert.ok((await cli.run(['log', pid], { colours: true })).out.includes('\u001b['));
    assert.ok(!(await cli.run(['log', pid], { colours: true, env: { NO_COLOR: '1' } })).out.includes('\u001b['));
  });

  it('settings are shown with their origin, secrets never', async () => {
    const env = { DEVLOOP_TOKEN: 'very-secret', DEVLOOP_PORT: '4000' };
    const { out } = await cli.run(['config', 'show', '--origin', '--data', 'elsewhere'], { env });
    assert.match(out, /^port +4000 +DEVLOOP_PORT$/m);
    assert.match(out, new RegExp(`^data_dir +${join(cli.cwd, 'elsewhere')} +--data$`, 'm'));
    assert.ok(!out.includes('very-secret'));
    assert.equal((await cli.run(['config', 'set'])).status, 2);
  });

  it('a setting that is wrong ends with 2 and names its place', async () => {
    const { status, err } = await cli.run(['list'], { env: { DEVLOOP_PORT: 'many' } });
    assert.equal(status, 2);
    assert.match(err, /DEVLOOP_PORT/);
  });

  it('completes every command and its flags', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { out } = await cli.run(['completion', shell]);
      for (const name of Object.keys(COMMANDS)) assert.ok(out.includes(name), `${shell} ${name}`);
      assert.match(out, /--?l? ?manifest/);
    }
    assert.equal((await cli.run(['completion', 'tcsh'])).status, 2);
  });

  it('doctor names each thing it looked at', async () => {
    const { status, json } = await cli.json('doctor');
    assert.equal(status, 0);
    assert.deepEqual(
      json.items.map(({ name }: { name: string }) => name),
      ['node', 'git', 'sandbox', 'data folder', 'disk', 'server', 'agent'],
    );
    assert.equal(json.items.at(-2).detail, cli.http.url);
    assert.match(json.items.at(-1).detail, /^recorded, all roles: plays a recording .*; layers: tool_jail$/);
    const off = await cli.run(['doctor', '--sandbox', 'off']);
    assert.match(off.out, /not confined/);
  });

  it('a data folder that is not there is not made by looking', async () => {
    const { status, err } = await cli.run(['list', '--data', 'none']);
    assert.equal(status, 5);
    assert.match(err, /There is no data folder/);
  });

  it('watch without a server says so and can be tried again', async () => {
    const other = await cliUnderTest();
    await other.http[Symbol.asyncDispose]();
    const { status, err } = await other.run(['watch']);
    assert.equal(status, 75);
    assert.match(err, /No server runs/);
    writeFileSync(join(other.cwd, 'data', '.devloop', 'server.json'), '{"url": ');
    assert.equal((await other.run(['watch'])).status, 75, 'a torn file counts as none');
    rmSync(other.cwd, { recursive: true });
  });

  it('another address than loopback needs a token of one’s own', async () => {
    const { status, err } = await cli.run(['serve', '--host', '0.0.0.0', '--port', '0']);
    assert.equal(status, 2);
    assert.match(err, /no token is set[\s\S]*DEVLOOP_TOKEN/);
  });
});
