import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { COMMANDS } from '../../server/cli/registry.ts';
import { type ProjectId, parseRescueId } from '../../server/domain/ids.ts';
import { type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';

/** Examples that another test runs, on real folders and servers. */
const ELSEWHERE = new Set([
  'demo',
  'serve',
  'turn',
  'snap',
  'snaps',
  'turns',
  'changes',
  'restore',
  'undo',
  'redo',
  'protect',
  'history',
  'restores',
]);
/** What the examples call the project. */
const NAMED = 'p-k3v7q2ma';

describe('every example of the help does what it says', async () => {
  let cli: CliUnderTest;
  let pid: ProjectId;
  before(async () => {
    cli = await cliUnderTest();
    writeFileSync(join(cli.cwd, 'requirement.txt'), 'A to-do list service');
    writeFileSync(join(cli.cwd, 'team.json'), JSON.stringify({ default: { driver: 'recorded' } }));
    const { loop } = cli.http;
    const ship = async (of: ProjectId) => {
      loop.projects.set(of, { ...(await loop.project(of)), status: 'shipped' });
    };
    Object.assign(loop, { run: ship, resume: ship, approve: ship, reject: ship, feedback: ship });
    cli.http.vault.tags.push(
      { ...cli.http.vault.tags[0], name: 'shipped-v1-1' } as never,
      { ...cli.http.vault.tags[1], name: '3f9a1c2' } as never,
      { ...cli.http.vault.tags[0], name: 'prd-rev-2' } as never,
      { ...cli.http.vault.tags[0], name: 'attempts/store/1/1' } as never,
    );
    cli.http.vault.allowFinding = async (_of, key) => ({ ...cli.http.vault.finding, ...key, open: false });
    cli.http.vault.restoreRescue = async () => ({ rescue: parseRescueId('r9'), left: [] });
  });
  after(() => cli[Symbol.asyncDispose]());

  for (const [name, load] of Object.entries(COMMANDS)) {
    if (ELSEWHERE.has(name)) continue;
    for (const { command } of (await load()).examples) {
      // Of a file in a workspace: run with the others for folders.
      if (name === 'diff' && !command.includes(NAMED)) continue;
      it(command, async () => {
        pid = (await cli.json('new', 'A to-do list')).json.pid;
        cli.http.feed.publish(pid, 'git.tagged', { tag: 'prd-rev-1', pid });
        const options = ['dirty', 'reset_hard'] as never;
        cli.http.loop.pendingRecoveries.splice(0, 9, { pid, snapshot: 's', files: [], options, inspecting: false });
        const argv = wordsOf(command).map((word) => (word === NAMED ? pid : word));
        const watching = name === 'watch' ? ['--after', '0'] : [];
        const asks = ['reset'].includes(name) ? ['--yes'] : [];
        const stop = new AbortController();
        const ran = await cli.run([...argv, ...watching, ...asks], {
          signal: stop.signal,
          onOut: () => name === 'watch' && stop.abort('SIGTERM'),
        });
        assert.equal(ran.status, 0, ran.err);
      });
    }
  }
});

/** The words of a shell line after `devloop`, up to a pipe or a redirection; `<(devloop …)` is the command inside. */
function wordsOf(line: string): readonly string[] {
  const [, inside] = /<\((.+)\)/.exec(line) ?? [];
  const command = (inside ?? line).split(/ [|>] /)[0] ?? '';
  const words = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  return words.slice(words.indexOf('devloop') + 1);
}
