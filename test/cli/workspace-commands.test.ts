import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { bareEnvironment, CLI } from '../support/running-server.ts';

describe('workspace commands, in the folder of the call', () => {
  let base: string;
  let folder: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'devloop-cli-ws-'));
    folder = join(base, 'work');
    mkdirSync(join(folder, 'src'), { recursive: true });
    mkdirSync(join(base, 'home'));
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    writeFileSync(join(folder, 'src', 'b.txt'), 'two\n');
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  const devloop = (...argv: readonly string[]) => {
    const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...argv], {
      cwd: folder,
      encoding: 'utf8',
      input: '',
      env: bareEnvironment(join(base, 'home'), { DEVLOOP_STATE_DIR: join(base, 'state') }),
    });
    return { ...run, json: () => JSON.parse(run.stdout) };
  };
  const content = (path: string) => readFileSync(join(folder, path), 'utf8');

  it('turn passes the exit status and what was printed through', () => {
    const run = devloop('turn', '--', 'sh', '-c', 'echo hello; exit 3');
    assert.equal(run.status, 3);
    assert.equal(run.stdout, 'hello\n');
  });

  it('turn ends by the signal that ended the program, after its point was taken', () => {
    const run = devloop('turn', '--', 'sh', '-c', 'echo x > a.txt; kill -TERM $$');
    assert.equal(run.signal, 'SIGTERM');
    assert.equal(devloop('turns', '--json').json().items[0].state, 'ended');
  });

  it('turn that does not wait starts at once, says that it is not protected yet, and when it is', () => {
    const run = devloop('turn', '--no-wait', '--', 'sh', '-c', 'echo hello');
    assert.equal(run.stdout, 'hello\n');
    assert.match(run.stderr, /not protected yet[\s\S]*protected by /);
    assert.equal(devloop('turns', '--json').json().items[0].state, 'ended');
  });

  it('turn says that a program is not there, and keeps both points', () => {
    assert.equal(devloop('turn', '--', 'no-such-program').status, 5);
  });

  it('undo goes back to before the turn, and redo forth again', () => {
    devloop('turn', '--task', 'T-1', '--', 'sh', '-c', 'echo changed > a.txt; rm src/b.txt; echo new > c.txt');
    const undone = devloop('undo', '--yes', '--json').json();
    assert.deepEqual(
      [undone.plan.adds, undone.plan.overwrites, undone.plan.deletes].map((rows) =>
        rows.map((row: { path: string }) => row.path),
      ),
      [['src/b.txt'], ['a.txt'], ['c.txt']],
    );
    assert.deepEqual(
      [content('a.txt'), content('src/b.txt'), existsSync(join(folder, 'c.txt'))],
      ['one\n', 'two\n', false],
    );
    assert.equal(devloop('redo').status, 0);
    assert.deepEqual(
      [content('a.txt'), existsSync(join(folder, 'src/b.txt')), content('c.txt')],
      ['changed\n', false, 'new\n'],
    );
  });

  it('a plain yes does not overwrite what was changed after the turn: status 4, nothing written', () => {
    devloop('turn', '--', 'sh', '-c', 'echo agent > a.txt');
    writeFileSync(join(folder, 'a.txt'), 'mine\n');
    const run = devloop('undo', '--yes');
    assert.equal(run.status, 4);
    assert.equal(content('a.txt'), 'mine\n');
    assert.equal(devloop('undo', '--yes', '--scope', 'agent').status, 0);
    assert.equal(content('a.txt'), 'mine\n');
    assert.equal(devloop('undo', '--yes', '--scope', 'all').status, 0);
    assert.equal(content('a.txt'), 'one\n');
  });

  it('snap, changes, restore of one path, and a restore beside', () => {
    const { id } = devloop('snap', '-m', 'first', '--json').json();
    writeFileSync(join(folder, 'a.txt'), 'edited\n');
    writeFileSync(join(folder, 'src', 'b.txt'), 'edited\n');
    assert.deepEqual(
      devloop('changes', '--json')
        .json()
        .items.map((row: { path: string; change: string }) => `${row.change} ${row.path}`),
      ['modified a.txt', 'modified src/b.txt'],
    );
    assert.match(devloop('changes', '--patch').stdout, /^-one\n\+edited$/m);
    assert.equal(devloop('restore', id, '--dry-run').status, 0);
    assert.equal(content('a.txt'), 'edited\n');
    assert.equal(devloop('restore', id, '--only', 'src', '--yes').status, 0);
    assert.deepEqual([content('a.txt'), content('src/b.txt')], ['edited\n', 'two\n']);
    assert.equal(devloop('restore', id, '--to', '../beside').status, 0);
    assert.equal(readFileSync(join(base, 'beside', 'a.txt'), 'utf8'), 'one\n');
    assert.equal(devloop('restore', id, '--only', '../outside', '--yes').status, 2);
  });

  it('nobody to ask and no --yes: nothing is written', () => {
    const { id } = devloop('snap', '--json').json();
    writeFileSync(join(folder, 'a.txt'), 'edited\n');
    assert.equal(devloop('restore', id).status, 2);
    assert.equal(content('a.txt'), 'edited\n');
  });

  it('protect tells what is kept and why, verifies, and purges a secret from every point', () => {
    writeFileSync(join(folder, 'leak.txt'), 'secret\n');
    devloop('snap');
    assert.equal(devloop('protect', 'status', '--json').json().status.points, 1);
    assert.equal(devloop('protect', 'verify').status, 0);
    assert.match(devloop('protect', 'explain', 'node_modules/x').stdout, /not kept.*node_modules/);
    assert.equal(devloop('protect', 'purge', 'leak.txt', '--yes', '--json').json().purged.points.length, 1);
    assert.match(devloop('changes').stdout, /added +leak\.txt/);
  });

  it('the home folder is refused, with what to do', () => {
    const run = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, 'snap'], {
      cwd: join(base, 'home'),
      encoding: 'utf8',
      env: bareEnvironment(join(base, 'home'), { DEVLOOP_STATE_DIR: join(base, 'state') }),
    });
    assert.equal(run.status, 1);
    assert.match(run.stderr, /home/);
  });
});
