import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { COMMANDS } from '../../server/cli/registry.ts';
import { cliUnderTest, type Ran } from '../support/cli-under-test.ts';
import { rawGit } from '../support/raw-git-latin1.ts';

/** What the examples call a point. */
const POINT = '20261130t180000000-0a1b2c';

describe('devloop history', () => {
  async function inFolder(
    use: (place: {
      readonly run: (...argv: readonly string[]) => Promise<Ran>;
      readonly folder: string;
      /** Makes a key and has histories saved with it; gives the newest point. */
      readonly keep: () => Promise<string>;
    }) => Promise<void>,
  ): Promise<void> {
    await using cli = await cliUnderTest();
    const folder = join(cli.cwd, 'work');
    mkdirSync(join(folder, 'lib'), { recursive: true });
    rawGit(join(folder, 'lib'), ['init', '-q', '-b', 'trunk']);
    rawGit(join(folder, 'lib'), ['commit', '-qm', 'one', '--allow-empty']);
    const env = { DEVLOOP_STATE_DIR: join(cli.cwd, 'state') };
    const run = (...argv: readonly string[]) => cli.run(argv, { cwd: folder, env });
    const keep = async () => {
      const recipient = (await run('history', '--new-key', 'history.key')).out.trim();
      const settings = { nested_history: true, history_recipients: [recipient] };
      assert.equal((await run('protect', 'settings', JSON.stringify(settings))).status, 0);
      return (await run('snap', '--json')).json.id as string;
    };
    await use({ folder, run, keep });
  }

  it('does what its examples say', () =>
    inFolder(async ({ run, folder, keep }) => {
      const id = await keep();
      const { examples = [] } = (await COMMANDS.history?.()) ?? {};
      for (const { command } of examples.slice(1)) {
        const ran = await run(
          ...command
            .split(' ')
            .slice(1)
            .map((word) => word.replace(POINT, id)),
        );
        assert.equal(ran.status, 0, `${command}\n${ran.err}`);
      }
      assert.equal(examples.length, 4);
      const back = join(folder, '../lib.git');
      assert.equal(rawGit(back, ['rev-parse', 'trunk']), rawGit(join(folder, 'lib'), ['rev-parse', 'trunk']));
      assert.match(readFileSync(join(folder, 'lib.bundle.age'), 'latin1'), /^age-encryption\.org\/v1\n/);
      assert.match((await run('history')).out, /^lib +2 refs +\d+ bytes\n$/);
      assert.equal((await run('history', '--json')).json.items[0].git_history_saved, true);
    }));

  it('makes a key that only its owner can read, and never over another', () =>
    inFolder(async ({ run, folder }) => {
      const made = await run('history', '--new-key', 'key');
      assert.match(made.out, /^age1[a-z0-9]+\n$/);
      const before = readFileSync(join(folder, 'key'), 'utf8');
      assert.match(before, /\nAGE-SECRET-KEY-1[A-Z0-9]+\n$/);
      assert.equal(statSync(join(folder, 'key')).mode & 0o777, 0o600);
      assert.equal((await run('history', '--new-key', 'key')).status, 1);
      assert.equal(readFileSync(join(folder, 'key'), 'utf8'), before);
    }));

  it('says what is missing, and shows no key', () =>
    inFolder(async ({ run, folder, keep }) => {
      assert.equal((await run('history')).status, 5);
      await run('snap');
      assert.match((await run('history')).out, /^lib +not kept/);
      const id = await keep();
      writeFileSync(join(folder, 'no-key'), 'nothing\n');
      const secret = readFileSync(join(folder, 'history.key'), 'utf8').trim().split('\n').at(-1) ?? '';
      for (const [status, ...argv] of [
        [2, id, 'lib'],
        [2, id, 'lib', '--to', '../x'],
        [5, id, 'lib', '--to', '../x', '-i', 'nowhere'],
        [2, id, 'lib', '--to', '../x', '-i', 'no-key'],
        [1, id, 'lib', '--to', 'lib', '-i', 'history.key'],
        [5, id, 'other', '--to', '../x', '-i', 'history.key'],
        [5, POINT, 'lib', '-o', 'x'],
      ] as const) {
        const ran = await run('history', ...argv);
        assert.equal(ran.status, status, `${argv.join(' ')}\n${ran.err}`);
        assert.ok(!`${ran.out}${ran.err}`.includes(secret));
      }
      assert.ok(!existsSync(join(folder, '../x')));
    }));
});
