import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gitIn } from '../support/demo-project.ts';
import { bareEnvironment, CLI, ROOT } from '../support/running-server.ts';

interface DemoAnswer {
  readonly pid: string;
  readonly path: string;
  readonly status: string;
  readonly commits: readonly {
    subject: string;
    author: { name: string; email: string };
    trailers: Record<string, string>;
  }[];
  readonly tags: readonly string[];
  readonly attempts: readonly {
    unit: string;
    round: number;
    attempt: number;
    verdict: string;
    ref: string;
    sha: string;
  }[];
  readonly events: number;
}

describe('devloop demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-demo-'));
  const demo = (...more: readonly string[]) =>
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, 'demo', '--json', ...more], {
      cwd: folder,
      encoding: 'utf8',
      env: bareEnvironment(folder),
    });
  let answer: DemoAnswer;
  let git: ReturnType<typeof gitIn>;
  before(() => {
    const run = demo('--data', join(folder, 'data'));
    assert.equal(run.status, 0, run.stderr);
    answer = JSON.parse(run.stdout) as DemoAnswer;
    git = gitIn(answer.path, folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('ships, with one object on stdout', () => {
    assert.equal(answer.status, 'shipped');
    assert.ok(answer.events > 20);
    assert.deepEqual([...answer.tags].sort(), ['prd-rev-1', 'sdd-rev-1', 'shipped-v1-1']);
  });

  it('takes the loop through a red attempt, a failed integration, a triage and a repair', () => {
    const subjects = git('log', '--reverse', '--format=%s').split('\n');
    const at = (shape: RegExp) => subjects.findIndex((line) => shape.test(line));
    const order = [
      /^init: /,
      /^prd: rev 1 · /,
      /^sdd: rev 1 · /,
      /retry → green · attempt 2$/,
      /^integ\(.{12}\): fail · /,
      /^triage\(/,
      /^integ\(.{12}\): pass · /,
      /^ship: prd@1 sdd@1$/,
    ];
    const found = order.map(at);
    assert.ok(
      found.every((place) => place >= 0),
      `${JSON.stringify(found)} in ${JSON.stringify(subjects)}`,
    );
    assert.deepEqual(
      found,
      [...found].sort((a, b) => a - b),
    );
  });

  it('keeps the red attempt beside main, and its difference to the green one is the repair', () => {
    const red = answer.attempts.find((attempt) => attempt.verdict === 'red');
    assert.ok(red);
    assert.equal(red.ref, `refs/devloop/attempts/${red.unit}/${red.round}/${red.attempt}`);
    assert.equal(git('rev-parse', red.ref), red.sha);
    assert.equal(git('branch', '--contains', red.sha), '', 'no red commit on main');
    const green = git('log', '--format=%H', `--grep=code(${red.unit}): retry`, '--fixed-strings', '-1');
    assert.notEqual(git('diff', red.sha, green, '--', `units/${red.unit}/code`), '');
  });

  it('leaves a repository that git finds clean, that can be cloned, and whose status shows at most the ledgers', () => {
    assert.equal(git('fsck', '--strict', '--no-dangling'), '');
    git('clone', '--quiet', answer.path, join(folder, 'clone'));
    assert.equal(gitIn(join(folder, 'clone'), folder)('rev-parse', 'HEAD'), git('rev-parse', 'HEAD'));
    const dirty = git('status', '--porcelain')
      .split('\n')
      .filter((line) => line !== '');
    assert.ok(
      dirty.every((line) => /^ M (timeline|bugs|changelog)\.ndjson$/.test(line)),
      dirty.join('\n'),
    );
  });

  it('signs each commit as the role that made the work, and ties it to its call', () => {
    for (const { subject, author, trailers } of answer.commits) {
      const expected = authorOf(subject);
      assert.deepEqual(author, expected, subject);
      if (!/^(init|ship): /.test(subject)) assert.ok(trailers['DevLoop-Call'], subject);
    }
    assert.ok(
      git('log', '--format=%cn <%ce>')
        .split('\n')
        .every((line) => line === 'DevLoop <devloop@devloop.local>'),
    );
  });

  it('stops with status 3 where a recorded message, tool call or expectation was changed', () => {
    const source = join(ROOT, 'templates', 'demo', 'todo', 'recording.ndjson');
    const lines = readFileSync(source, 'utf8').split('\n');
    const changed = join(folder, 'changed');
    cpSync(join(ROOT, 'templates', 'demo', 'todo'), changed, { recursive: true });
    const place = lines.findIndex((line) => line.includes('"tool_calls":[{'));
    const recording = join(changed, 'recording.ndjson');
    writeFileSync(recording, lines.with(place, (lines[place] ?? '').replace('write_file', 'read_file')).join('\n'));
    const run = demo('--data', join(folder, 'diverged'), '--recording', recording);
    assert.equal(run.status, 3, run.stdout + run.stderr);
    assert.match(run.stderr, /diverged/);
  });
});

function authorOf(subject: string): { name: string; email: string } {
  const agents: readonly [string, string, string][] = [
    ['prd:', 'PM Agent', 'pm'],
    ['sdd:', 'Architect Agent', 'architect'],
    ['code(', 'Coder Agent', 'coder'],
    ['integ(', 'Integrator Agent', 'integrator'],
    ['triage(', 'BugTriager Agent', 'triager'],
  ];
  const agent = agents.find(([prefix]) => subject.startsWith(prefix));
  return agent
    ? { name: agent[1], email: `${agent[2]}@devloop.local` }
    : { name: 'DevLoop', email: 'devloop@devloop.local' };
}
