import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atRest, type ProjectAnswer, type Shipped, shippedFacts, startDemoProject } from '../support/demo-project.ts';
import { type RunningServer, startServer } from '../support/running-server.ts';

export interface Undisturbed extends Shipped {
  /** From the start of the run to shipped. */
  readonly duration_ms: number;
}

/** Ships the demo's project without a kill: what the killed ones are compared with. */
export async function undisturbedRun(): Promise<Undisturbed> {
  return withFolder(async (folder) => {
    const server = await startServer(join(folder, 'data'), folder);
    const began = performance.now();
    const pid = await startDemoProject(server);
    const project = await atRest(server, pid);
    const duration_ms = performance.now() - began;
    await server.stop();
    assert.equal(project.status, 'shipped', `${project.reason}: ${project.detail}`);
    return { ...shippedFacts(project.path, folder), duration_ms };
  });
}

export interface Kill {
  readonly after_ms: number;
  readonly action: 'reset_hard' | 'commit_as_wip';
}

/** Kills the server at a moment of the demo, starts it again, settles what is dirty, resumes, and checks that the same project ships and no event is lost or doubled. */
export async function killedRun({ after_ms, action }: Kill, expected: Shipped): Promise<{ readonly dirty: boolean }> {
  return withFolder(async (folder) => {
    const data = join(folder, 'data');
    const first = await startServer(data, folder);
    const pid = await startDemoProject(first);
    await new Promise((resolve) => setTimeout(resolve, after_ms));
    const { path } = (await first.api('GET', `/api/devloop/projects/${pid}`)).body as ProjectAnswer;
    await first.kill();
    const before = timeline(path);

    const second = await startServer(data, folder);
    const dirty = await settle(second, pid, action);
    const { status } = (await second.api('GET', `/api/devloop/projects/${pid}`)).body as ProjectAnswer;
    if (status !== 'shipped') {
      const resumed = await second.api('POST', `/api/devloop/projects/${pid}/run`);
      assert.equal(resumed.status, 202, `run after the kill: ${JSON.stringify(resumed.body)}`);
    }
    const project = await atRest(second, pid);
    assert.equal(project.status, 'shipped', `${project.reason}: ${project.detail}`);
    await second.stop();
    const facts = shippedFacts(project.path, folder);
    assert.deepEqual(facts.subjects, expected.subjects);
    assert.deepEqual(facts.trees, expected.trees);
    checkEvents(before, timeline(path));
    return { dirty };
  });
}

async function settle(server: RunningServer, pid: string, action: string): Promise<boolean> {
  await recovered(server, pid);
  const { body } = await server.api('GET', '/api/devloop/recovery');
  const item = (body as { items: readonly { pid: string; snapshot: string }[] }).items.find((one) => one.pid === pid);
  if (item === undefined) return false;
  const answer = await server.api('POST', `/api/devloop/projects/${pid}/recovery`, { action, snapshot: item.snapshot });
  assert.ok(answer.status < 300, `recovery: ${answer.status} ${JSON.stringify(answer.body)}`);
  return true;
}

/** Boot goes on while the server answers already: wait until this project was looked at. */
async function recovered(server: RunningServer, pid: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const { body } = await server.api('GET', `/api/devloop/projects/${pid}`);
    if ((body as ProjectAnswer).status !== 'running') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('the project still counts as running after the restart');
}

interface Line {
  readonly seq: number;
  readonly kind: string;
}

function timeline(path: string): readonly Line[] {
  const text = readFileSync(join(path, 'timeline.ndjson'), 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function checkEvents(before: readonly Line[], after: readonly Line[]): void {
  assert.deepEqual(after.slice(0, before.length), before, 'events from before the kill are kept');
  for (let i = 1; i < after.length; i++) assert.ok((after[i]?.seq ?? 0) > (after[i - 1]?.seq ?? 0), 'seq grows');
  const commits = after
    .filter((line) => line.kind === 'git_committed')
    .map((line) => JSON.stringify({ ...line, seq: 0, ts: '', sum: '', pos: 0 }));
  assert.equal(new Set(commits).size, commits.length, 'no commit is reported twice');
}

async function withFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-kill-'));
  try {
    return await action(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
