import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { COMMANDS } from '../../server/cli/registry.ts';
import { type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';
import { docxOf } from '../support/documents/docx-of.ts';
import { pdfOf } from '../support/documents/pdf-of.ts';

const NAMES = ['turn', 'snap', 'snaps', 'turns', 'changes', 'diff', 'restore', 'restores', 'undo', 'redo', 'protect'];
/** What the examples call a point, and the history of a folder that was moved. */
const POINT = '20261130t180000000-0a1b2c';
const MOVED = '0123456789abcdef-0123456789abcdef';

describe('every example of the commands for folders', async () => {
  let cli: CliUnderTest;
  let work: string;
  let env: Readonly<Record<string, string>>;
  const path = process.env.PATH ?? '';
  const run = (...argv: readonly string[]) => cli.run(argv, { cwd: work, env });
  const point = async () => JSON.parse((await run('snap', '--json')).out).id as string;
  before(async () => {
    cli = await cliUnderTest();
    work = join(cli.cwd, 'work');
    const bin = join(cli.cwd, 'bin');
    for (const folder of [join(work, 'src'), join(work, 'dist'), bin]) mkdirSync(folder, { recursive: true });
    for (const file of ['src/app.js', 'dist/app.js', '.env']) writeFileSync(join(work, file), `${file}\n`);
    writeFileSync(join(work, 'report.docx'), docxOf(['A word.']));
    writeFileSync(join(work, 'plan.pdf'), pdfOf([['1'], ['2'], ['3']]));
    for (const name of ['claude', 'npm']) {
      writeFileSync(join(bin, name), '#!/bin/sh\necho edited >> src/app.js\n');
      chmodSync(join(bin, name), 0o755);
    }
    env = { DEVLOOP_STATE_DIR: join(cli.cwd, 'state') };
    // What `turn` runs is found as in the caller's own shell.
    process.env.PATH = `${bin}:${path}`;
  });
  after(async () => {
    process.env.PATH = path;
    await cli[Symbol.asyncDispose]();
  });

  for (const name of NAMES) {
    for (const { command } of (await COMMANDS[name]?.())?.examples ?? []) {
      // Of a project: run with the others for projects.
      if (command.includes('p-k3v7q2ma')) continue;
      it(command, async () => {
        const id = await point();
        if (name !== 'turn') await run('turn', '--', 'sh', '-c', 'echo more >> src/app.js');
        if (name === 'redo') await run('undo', '--yes', '--scope', 'all');
        const history = command.includes(MOVED) ? await movedHistory() : '';
        const words = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');
        const argv = words.slice(1).map((word) => word.replace(POINT, id).replace(MOVED, history));
        if (name === 'diff') {
          writeFileSync(join(work, 'report.docx'), docxOf(['Another word.']));
          writeFileSync(join(work, 'plan.pdf'), pdfOf([['1'], ['2'], ['4']]));
        }
        const ran = await cli.run(argv, { cwd: work, env, typed: 'y' });
        assert.equal(ran.status, 0, ran.err);
      });
    }
  }

  /** A folder whose place is taken by `work` without a history of its own. */
  async function movedHistory(): Promise<string> {
    const old = join(cli.cwd, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'kept'), 'kept');
    await cli.run(['snap', '-m', 'in the old place'], { cwd: old, env });
    const { items } = JSON.parse((await cli.run(['protect', 'list', '--json'], { cwd: old, env })).out);
    const found = items.find(({ root }: { root: string }) => root.endsWith('/old')).id;
    renameSync(old, join(cli.cwd, 'moved-here'));
    await run('protect', 'forget', '--yes');
    return found;
  }

  it('a point shows its own line and its files, in bytes and as JSON', async () => {
    writeFileSync(join(work, 'note'), 'as it was\n');
    const id = await point();
    writeFileSync(join(work, 'note'), 'later\n');
    assert.match((await run('snaps', id)).out, new RegExp(`^${id} .*files`));
    assert.equal((await run('snaps', id, 'note')).out, 'as it was\n');
    assert.deepEqual(JSON.parse((await run('snaps', id, 'note', '--json')).out), {
      path: 'note',
      content: 'as it was\n',
    });
    assert.equal((await run('snaps', id, 'none')).status, 5);
    assert.equal((await run('snaps', POINT)).status, 5);
    const part = await run('restore', id, '--to', join(cli.cwd, 'part'), '--only', 'note');
    assert.equal(part.status, 0, part.err);
    assert.equal(readFileSync(join(cli.cwd, 'part/note'), 'utf8'), 'as it was\n');
  });

  it('settings are shown, changed, put back, and refused where they are none', async () => {
    const settings = async (...change: readonly string[]) =>
      JSON.parse((await run('protect', 'settings', ...change, '--json')).out).settings;
    assert.equal((await settings('{"max_turns": 3, "gitignore": false}')).max_turns, 3);
    assert.deepEqual([(await settings()).gitignore, (await settings('{"gitignore": null}')).gitignore], [false, true]);
    for (const bad of ['{', '[]', '7', '{"max_turns": 0}', '{"other": 1}']) {
      assert.equal((await run('protect', 'settings', bad)).status, 2, bad);
    }
  });

  it('a history is forgotten only where somebody says yes', async () => {
    await point();
    assert.match((await cli.run(['protect', 'forget'], { cwd: work, env, typed: 'n' })).out, /nothing was deleted/);
    assert.equal(JSON.parse((await run('snaps', '--json')).out).items.length > 0, true);
    assert.equal((await run('protect', 'forget', '--yes')).status, 0);
    assert.deepEqual(JSON.parse((await run('snaps', '--json')).out).items, []);
    rmSync(join(cli.cwd, 'part'), { recursive: true, force: true });
  });
});
