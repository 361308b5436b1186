import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readZip } from '../support/read-zip.ts';
import { bareEnvironment, CLI } from '../support/running-server.ts';

describe('devloop demo workspace', () => {
  const home = mkdtempSync(join(tmpdir(), 'devloop-demo-ws-'));
  const demo = (...more: readonly string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, 'demo', ...more], {
      cwd: home,
      encoding: 'utf8',
      env: bareEnvironment(home, { TMPDIR: home }),
    });
  let ran: ReturnType<typeof demo>;
  let work: string;
  // biome-ignore lint/suspicious/noExplicitAny: read by the assertions
  let answer: any;
  before(() => {
    ran = demo('workspace', '--json', '--data', join(home, 'data'));
    answer = JSON.parse(ran.stdout);
    work = join(answer.folder, 'work');
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  it('ends with status 0 and one object, in which every check found nothing', () => {
    assert.equal(ran.status, 0, ran.stderr);
    assert.equal(answer.equal, true);
    assert.ok(answer.checks.length >= 7);
    for (const { claim, differs } of answer.checks) assert.deepEqual(differs, [], claim);
    assert.deepEqual(answer.plan, { adds: 3, overwrites: 5, deletes: 4, modes: 1 });
  });

  it('keeps all it makes below the data folder that was named', () => {
    assert.ok(answer.folder.startsWith(join(home, 'data', 'workspace-demo-')));
    assert.deepEqual(readdirSync(answer.folder).sort(), ['state', 'work']);
    assert.equal(existsSync(join(home, '.local')), false);
  });

  it('leaves the folder as it was at the point: a real repository, a real document, odd names', () => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-C', join(work, 'vendor/lib'), ...args], { encoding: 'utf8', env: bareEnvironment(home) });
    assert.equal(git('status', '--porcelain'), '');
    assert.equal(git('log', '--format=%s').trim(), 'Begin the library');
    assert.equal(git('fsck', '--strict', '--no-dangling'), '');
    const parts = readZip(readFileSync(join(work, 'docs/offer.docx')));
    const text = parts.find(({ name }) => name.toString() === 'word/document.xml')?.content.toString() ?? '';
    assert.match(text, /The offer, first version/);
    const names = readdirSync(work, { encoding: 'latin1' });
    for (const name of ['new\nline', 'a "quoted" name', '-rf', 'blank ', 'latin \xff\xfe name']) {
      assert.ok(names.includes(name), JSON.stringify(name));
    }
    assert.equal(readFileSync(join(work, 'node_modules/left-pad/index.js'), 'utf8'), 'module.exports = 2;\n');
  });

  it('prints a line a step without --json, in a temporary folder that it names at the end', () => {
    const shown = demo('workspace');
    assert.equal(shown.status, 0, shown.stderr);
    const lines = shown.stdout.trim().split('\n');
    for (const word of ['folder', 'point', 'edits', 'plan', 'restore', 'undo', 'check']) {
      assert.ok(
        lines.some((line) => line.startsWith(word)),
        word,
      );
    }
    assert.match(
      lines.at(-1) ?? '',
      new RegExp(`Everything is equal\\. The folder is ${home}/workspace-demo-\\w+/work`),
    );
  });

  it('a demo that there is not is wrong use', () => {
    assert.equal(demo('nothing').status, 2);
  });
});
