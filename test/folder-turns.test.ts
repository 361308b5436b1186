import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bareEnvironment, ROOT } from './support/running-server.ts';
import { inTempFolder } from './support/temp-folder.ts';

const ENTRY = pathToFileURL(join(ROOT, 'server/index.ts')).href;

/** A program that uses the library in a folder; gives what it printed as JSON. */
function lab(folder: string) {
  const root = join(folder, 'work');
  mkdirSync(root);
  writeFileSync(join(root, 'a.txt'), '0');
  const run = (code: string, env: Readonly<Record<string, string>> = {}) => {
    writeFileSync(
      join(folder, 'program.ts'),
      `import { writeFileSync, existsSync } from 'node:fs';
       import { listPreTurnSnapshots, personalWorkspaces, restorePreTurn, runTurn } from '${ENTRY}';
       const root = ${JSON.stringify(root)};
       const put = (text: string) => writeFileSync(root + '/a.txt', text);
       const say = (value: unknown) => console.log(JSON.stringify(value));
       ${code}`,
    );
    const ran = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(folder, 'program.ts')], {
      encoding: 'utf8',
      env: bareEnvironment(folder, { DEVLOOP_STATE_DIR: join(folder, 'state'), ...env }),
    });
    return {
      ...ran,
      said: ran.stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    };
  };
  return { root, run, content: () => readFileSync(join(root, 'a.txt'), 'utf8') };
}

describe('turns by the library', () => {
  it('the result does not wait for the point after, and the end of the process does', async () => {
    await inTempFolder((folder) => {
      const { run } = lab(folder);
      const first = run(`
        say(await runTurn(root, (turn) => { put('1'); return turn?.pre.phase; }, { task_id: 'T-1' }));
        say((await listPreTurnSnapshots(root)).map(({ state, pre }) => [state, pre.task_id]));`);
      assert.deepEqual(first.said, ['PRE_TURN', [['open', 'T-1']]], first.stderr);
      const later = run('say((await listPreTurnSnapshots(root)).map(({ state, post }) => [state, post?.phase]));');
      assert.deepEqual(later.said, [[['ended', 'POST_TURN']]], later.stderr);
    });
  });

  it('a task that throws gets its end too, and its fault comes through', async () => {
    await inTempFolder((folder) => {
      const { run } = lab(folder);
      const failed = run(`
        await runTurn(root, () => { put('1'); throw new Error('agent died'); }).catch((error) => say(error.message));`);
      assert.deepEqual([failed.status, failed.said], [0, ['agent died']], failed.stderr);
      const [states] = run('say((await listPreTurnSnapshots(root)).map(({ state }) => state));').said;
      assert.deepEqual(states, ['ended']);
    });
  });

  it('a process that is killed in its turn leaves the end to the next turn', async () => {
    await inTempFolder((folder) => {
      const { run } = lab(folder);
      assert.equal(
        run("await runTurn(root, () => { put('1'); process.kill(process.pid, 'SIGKILL'); });").signal,
        'SIGKILL',
      );
      run('await runTurn(root, () => undefined);');
      const [states] = run('say((await listPreTurnSnapshots(root)).map(({ state }) => state));').said;
      assert.deepEqual(states, ['ended', 'ended']);
    });
  });

  it('going back takes the offset, right after a turn as well, only what is chosen, and can be undone', async () => {
    await inTempFolder((folder) => {
      const { run, content } = lab(folder);
      const { said, stderr } = run(`
        for (const text of ['1', '2']) await runTurn(root, () => { put(text); writeFileSync(root + '/b.txt', text); });
        const { rows } = await restorePreTurn(root, 1, { only: ['a.txt'] });
        say(rows.map(({ kind, path }) => [kind, path]));
        const workspace = personalWorkspaces().open(root);
        await workspace.undoRestore();
        await workspace.close();
        say(await restorePreTurn(root, 2).catch(({ code }) => code));
        say(await restorePreTurn(root, 0, { only: ['../x'] }).catch(({ code }) => code));`);
      assert.deepEqual(said, [[['overwrite', 'a.txt']], 'nothing_to_restore', 'path_refused'], stderr);
      assert.equal(content(), '2');
    });
  });

  it('where points are switched off the task runs without any', async () => {
    await inTempFolder((folder) => {
      const { run } = lab(folder);
      const off = run('say((await runTurn(root, (turn) => turn === undefined)));', { DEVLOOP_SNAPSHOT_ENABLED: '0' });
      assert.deepEqual(off.said, [true], off.stderr);
      assert.deepEqual(run('say(await listPreTurnSnapshots(root));').said, [[]]);
    });
  });

  it('where the folder goes away in the turn, the process warns that the point after is missing', async () => {
    await inTempFolder((folder) => {
      const { root, run } = lab(folder);
      const gone = run(`
        import { rmSync } from 'node:fs';
        say(await runTurn(root, () => { rmSync(root, { recursive: true }); return 'done'; }));`);
      assert.deepEqual([gone.status, gone.said], [0, ['done']], gone.stderr);
      assert.match(gone.stderr, /Warning: the point after the turn \S+ is missing: .*not there/);
      rmSync(root, { recursive: true, force: true });
    });
  });

  it('a folder that cannot be a workspace is refused before the task runs', async () => {
    await inTempFolder((folder) => {
      const { run } = lab(folder);
      const refused = run("say(await runTurn('/', () => 'ran').catch(({ code }) => code));");
      assert.deepEqual(refused.said, ['workspace_refused'], refused.stderr);
    });
  });
});
