import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, beforeEach, describe, it } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { type CliUnderTest, cliUnderTest } from '../support/cli-under-test.ts';

describe('commands about a project', () => {
  let cli: CliUnderTest;
  let pid: string;
  before(async () => {
    cli = await cliUnderTest();
  });
  after(() => cli[Symbol.asyncDispose]());
  beforeEach(async () => {
    pid = (await cli.json('new', 'A to-do list')).json.pid;
  });

  it('new prints the id and how to start it, and takes requirement, team and settings from files', async () => {
    const plain = await cli.run(['new', 'A to-do list', '--name', 'todo']);
    assert.equal(plain.status, 0, plain.err);
    assert.match(plain.out, /^p-\d{8} created\n.*\ndevloop run p-\d{8}\n$/);
    writeFileSync(join(cli.cwd, 'r.txt'), 'From a file');
    writeFileSync(join(cli.cwd, 'team.json'), JSON.stringify({ default: { driver: 'recorded', recording: 'todo' } }));
    writeFileSync(join(cli.cwd, 's.json'), JSON.stringify({ attempts: 5 }));
    const { json } = await cli.json(
      'new',
      '@r.txt',
      '--team',
      'team.json',
      '--settings',
      's.json',
      '--company',
      'acme',
    );
    assert.equal(json.requirement, 'From a file');
    assert.equal(json.cid, 'acme');
    assert.equal(json.settings.attempts, 5);
    assert.equal(json.team.default.recording, 'todo');
  });

  it('list gives a line a project, filters, and says how to go on', async () => {
    await cli.json('cancel', pid);
    const listed = await cli.run(['list', '--status', 'cancelled']);
    assert.match(listed.out, new RegExp(`^${pid} {2}cancelled {2}2026-01-01T`, 'm'));
    const page = await cli.json('list', '--limit', '1');
    const rest = await cli.json('list', '--limit', '1', '--cursor', page.json.next);
    assert.notEqual(rest.json.items[0].pid, page.json.items[0].pid);
  });

  it('show prints a project, or a commit', async () => {
    const shown = await cli.run(['show', pid]);
    assert.match(shown.out, /status +created\n/);
    assert.match(shown.out, /store {2}green {2}round 1, attempt 2 {2}Keeps the items/);
    const commit = await cli.run(['show', pid, 'prd-rev-1']);
    assert.match(commit.out, /commit 2\n[\s\S]*DevLoop-Call {2}c-2\nadded {2}\+1 -0 {2}prd\/prd\.md/);
    assert.equal((await cli.json('show', pid, 'prd-rev-1')).json.subject, 'commit 2');
  });

  it('log has the author of each commit on its line', async () => {
    const { out } = await cli.run(['log', pid, '--limit', '2']);
    assert.match(
      out,
      /^0000000 {2}Coder Agent {2}commit 10 \(HEAD, main\)\n0000000 {2}Coder Agent {2}commit 9\nmore: --cursor 2\n$/,
    );
  });

  it('diff prints the patch as it is, and with --json the files as well', async () => {
    const { out } = await cli.run(['diff', pid, 'prd-rev-1', 'main']);
    assert.match(out, /^diff --git [^\n]*\n--- a\/prd\/prd\.md\n\+\+\+ b/);
    const { json } = await cli.json('diff', pid, 'prd-rev-1');
    assert.equal(json.patch, out);
    assert.equal(json.files[0].change, 'modified');
  });

  it('attempts lists those of every unit under the names that diff takes', async () => {
    const { out } = await cli.run(['attempts', pid]);
    assert.match(out, /^attempts\/store\/1\/2 {2}red {2}\w{7}\nattempts\/store\/1\/1/);
    assert.equal((await cli.json('attempts', pid, 'store')).json.items.length, 2);
  });

  it('tags lists and makes tags', async () => {
    assert.match((await cli.run(['tags', pid])).out, /^sdd-rev-1 .*\nprd-rev-1 /);
    assert.equal((await cli.json('tags', pid, 'demo', '-m', 'shown')).json.name, 'demo');
    assert.equal((await cli.run(['tags', pid, 'prd-rev-1'])).status, 1);
  });

  it('units, runs, timeline, tree, status and verify print what their routes give', async () => {
    assert.match((await cli.run(['units', pid])).out, /^store {2}green/);
    assert.match((await cli.run(['runs', pid])).out, /r-6 {2}store {2}green {2}6 of 6/);
    assert.match((await cli.run(['runs', pid, 'r-6'])).out, /"outcome": "green"/);
    cli.http.feed.publish(pid, 'unit_status', {});
    assert.match((await cli.run(['timeline', pid])).out, /^1 {2}2026-01-01T00:00:00 {2}loop {2}unit_status/);
    assert.match((await cli.run(['tree', pid])).out, /file {2}\d+ +prd\/prd\.md/);
    assert.match((await cli.run(['status', pid])).out, /^added {4}a b\.txt$/m);
    assert.equal((await cli.run(['verify', pid])).out, 'no problems\n');
  });

  it('maintain says what it did, and names what is not listed any more', async () => {
    assert.equal((await cli.run(['maintain', pid])).out, 'packed\n');
    cli.http.vault.expired.push('rescue/r1');
    assert.equal((await cli.run(['maintain', pid])).out, 'packed\nnot listed any more: rescue/r1\n');
    await cli.http.loop.run(pid as never);
    assert.match((await cli.run(['maintain', pid])).err, /is running/);
  });

  it('trace prints a record a line', async () => {
    const { out } = await cli.run(['trace', pid, '--limit', '3']);
    const records = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.equal(records.length, 3);
    assert.deepEqual(records[0].files[0].conversations[0].ranges, [{ start_line: 1, end_line: 1 }]);
    assert.deepEqual((await cli.json('trace', pid, '--limit', '3')).json.items, records);
  });

  it('file prints bytes as they are', async () => {
    assert.equal((await cli.run(['file', pid, 'prd/prd.md'])).out, '# 待办事项\n');
    assert.deepEqual((await cli.json('file', pid, 'prd/prd.md')).json, { path: 'prd/prd.md', content: '# 待办事项\n' });
    assert.equal((await cli.run(['file', pid, 'none'])).status, 5);
  });

  it('pause, cancel, sign-off and abandon act and print where the project is', async () => {
    assert.match((await cli.run(['pause', pid])).out, new RegExp(`^${pid} paused\n`));
    assert.match((await cli.run(['cancel', pid])).out, /cancelled/);
    assert.equal((await cli.json('sign-off', pid, '--user', 'ann')).json.status, 'shipped-final');
    assert.equal(cli.http.loop.asked.at(-1), 'sign-off ann');
    assert.equal((await cli.json('abandon', pid, 'no use')).json.status, 'abandoned');
  });

  it('delete asks, and does nothing without a yes', async () => {
    const refused = await cli.run(['delete', pid]);
    assert.equal(refused.status, 2);
    assert.match(refused.err, /Add --yes/);
    assert.match((await cli.run(['delete', pid], { typed: 'n' })).out, /nothing was deleted/);
    assert.equal(cli.http.loop.projects.has(pid as never), true);
    assert.equal((await cli.run(['delete', pid, '--no-input'], { typed: 'y' })).status, 2);
    assert.match((await cli.run(['delete', pid], { typed: 'y' })).out, /^deleted \//);
    assert.equal((await cli.run(['show', pid])).status, 5);
  });

  it('reset shows what is uncommitted, asks, and changes only what it has shown', async () => {
    cli.http.vault.left.push({ path: bytePathFromText('pipe'), reason: 'it is a pipe' });
    const asked = await cli.run(['reset', pid], { typed: 'yes' });
    assert.match(asked.out, /^still differs {2}pipe {2}it is a pipe$/m);
    assert.match(asked.err, /added.*a b\.txt[\s\S]*1 uncommitted/);
    assert.match(asked.out, /kept as rescue\/r3/);
    const status = cli.http.vault.status.bind(cli.http.vault);
    cli.http.vault.status = async (of) => {
      const seen = await status(of);
      cli.http.vault.snapshot = `${seen.snapshot}x`;
      return seen;
    };
    const stale = await cli.run(['reset', pid, '--yes']);
    cli.http.vault.status = status;
    assert.equal(stale.status, 75);
    assert.match(stale.err, /have changed/);
  });

  it('findings lists what looks like secrets and what was not looked at, and allows one', async () => {
    const { out } = await cli.run(['findings', pid]);
    const [, allow = ''] = /^open {2}units\/.*\/config.js:3 .* ([0-9a-f]{40}:github)\n/.exec(out) ?? [];
    assert.match(out, /not looked at:\ntoo_large {2}film.mp4\n/);
    assert.match((await cli.run(['findings', pid, '--allow', allow])).out, /config.js:3 \(github\) is allowed/);
    assert.equal((await cli.run(['findings', pid, '--allow', `${'0'.repeat(40)}:github`])).status, 5);
    assert.match((await cli.run(['findings', pid, '--allow', 'all'])).err, /BLOB:RULE/);
  });

  it('revert, bisect, rescues and recover act', async () => {
    assert.match((await cli.run(['revert', pid, 'main'])).out, /^reverted by 0000000/);
    assert.match((await cli.run(['bisect', pid, 'prd-rev-1', '--unit', 'store'])).out, /good\n[\s\S]*commit 10/);
    assert.equal((await cli.run(['bisect', pid, 'prd-rev-1'])).status, 2);
    assert.match((await cli.run(['rescues', pid])).out, /^r2 .*reset {2}2 files/);
    assert.match((await cli.run(['rescues', pid, '--restore', 'r1'])).out, /restored r1/);
    assert.equal((await cli.run(['recover'])).out, 'nothing waits for an answer\n');
    const files = [{ path: 'a', change: 'added' }];
    cli.http.loop.pendingRecoveries.push({
      pid: pid as never,
      snapshot: 's',
      files,
      options: ['reset_hard'],
      inspecting: false,
    });
    assert.equal((await cli.run(['run', pid])).status, 4);
    assert.match((await cli.run(['recover', pid])).out, /s: reset_hard\n {2}added {2}a/);
    assert.match((await cli.run(['recover', pid, '--action', 'reset_hard'])).out, /kept as rescue/);
    assert.equal((await cli.run(['recover', pid, '--action', 'reset_hard'])).status, 5);
  });

  it('export saves the archive whole under its name, or streams it', async () => {
    const saved = await cli.run(['export', pid, '-o', 'x.zip']);
    assert.equal(saved.status, 0, saved.err);
    assert.equal(readFileSync(join(cli.cwd, 'x.zip'), 'utf8'), 'archive bytes');
    const named = await cli.json('export', pid, '--format', 'tar.gz');
    assert.equal(named.json.file, join(cli.cwd, `${pid}-HEAD.tar.gz`));
    assert.equal((await cli.run(['export', pid, '-o', '-'])).out, 'archive bytes');
    assert.equal((await cli.run(['export', pid, '-o', 'x.zip'])).status, 2, 'it is there');
    assert.equal((await cli.run(['export', pid, '-o', 'x.zip', '--yes'])).status, 0);
    assert.match((await cli.run(['export', pid, '--manifest'])).out, /^f{64} {2}prd\/prd\.md$/m);
    assert.equal((await cli.run(['bundle', pid])).status, 0);
  });

  it('an archive that breaks off leaves no file', async () => {
    const half = new Readable({ read: () => undefined });
    half.push('half');
    const before = cli.http.vault.archiveStream;
    cli.http.vault.archiveStream = () => {
      setTimeout(() => half.destroy(new Error('git went away')), 20);
      return half;
    };
    const broken = await cli.run(['export', pid, '-o', 'broken.zip']);
    cli.http.vault.archiveStream = before;
    assert.equal(broken.status, 1);
    for (const name of ['broken.zip', 'broken.zip.part']) assert.equal(existsSync(join(cli.cwd, name)), false);
  });
});
