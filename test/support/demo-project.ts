import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bareEnvironment, ROOT, type RunningServer } from './running-server.ts';

/** The requirement that an embedded recording answers. */
export function recordedRequirement(name: string): string {
  const [header = ''] = readFileSync(join(ROOT, 'templates', 'demo', name, 'recording.ndjson'), 'utf8').split('\n', 1);
  return (JSON.parse(header) as { requirement: string }).requirement;
}

export interface ProjectAnswer {
  readonly pid: string;
  readonly status: string;
  readonly path: string;
  readonly reason?: string;
  readonly detail?: string;
}

/** Creates a project on the embedded recording and starts it. */
export async function startDemoProject(server: RunningServer, recording = 'todo'): Promise<string> {
  const created = await server.api('POST', '/api/devloop/projects', { requirement: recordedRequirement(recording) });
  if (created.status !== 201) throw new Error(`create: ${created.status} ${JSON.stringify(created.body)}`);
  const { pid } = created.body as ProjectAnswer;
  const run = await server.api('POST', `/api/devloop/projects/${pid}/run`);
  if (run.status !== 202) throw new Error(`run: ${run.status} ${JSON.stringify(run.body)}`);
  return pid;
}

const AT_REST = new Set([
  'waiting_approval',
  'paused',
  'blocked',
  'cancelled',
  'shipped',
  'shipped-final',
  'abandoned',
]);

/** Waits until the project is at rest and returns it. */
export async function atRest(server: RunningServer, pid: string, within = 120_000): Promise<ProjectAnswer> {
  const deadline = Date.now() + within;
  for (;;) {
    const { body } = await server.api('GET', `/api/devloop/projects/${pid}`);
    const project = body as ProjectAnswer;
    if (AT_REST.has(project.status)) return project;
    if (Date.now() > deadline) throw new Error(`project ${pid} is still ${project.status}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Runs git as a person would, with no settings of theirs. */
export function gitIn(path: string, home: string): (...argv: readonly string[]) => string {
  return (...argv) =>
    execFileSync('git', ['-C', path, ...argv], {
      encoding: 'utf8',
      env: bareEnvironment(home),
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
}

export interface Shipped {
  /** Oldest first, run ids masked, without `wip:`. */
  readonly subjects: readonly string[];
  /** `{mode} {type} {oid}\t{path}` of prd, sdd, each unit's code and tests. */
  readonly trees: readonly string[];
}

/** What must be the same however often the server was killed. */
export function shippedFacts(path: string, home: string): Shipped {
  const git = gitIn(path, home);
  const subjects = git('log', '--reverse', '--format=%s').split('\n');
  const trees = git('ls-tree', '-r', '-d', 'HEAD').split('\n');
  return {
    subjects: subjects
      .filter((line) => !line.startsWith('wip: '))
      .map((line) =>
        line.replace(/^(integ|triage)\([^)]*\)/, '$1(RUN)').replace(/^init: project \S+/, 'init: project PID'),
      ),
    trees: trees.filter((line) => /\t(prd|sdd|units\/[^/]+\/(code|tests))$/.test(line)),
  };
}
