/**
 * Drives a running server by REST through one whole project and checks the result with plain git.
 * `npm run phase0-verify` starts a server of its own in a temporary folder; `-- --url URL --token-file FILE` uses one that runs.
 * Prints a line a check and ends with status 1 where one fails.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

interface Server {
  readonly url: string;
  readonly token: string;
  stop(): void;
}

interface ProjectAnswer {
  readonly pid: string;
  readonly status: string;
  readonly path: string;
  readonly reason?: string;
  readonly detail?: string;
  readonly units: readonly { readonly id: string }[];
}

const ROOT = join(import.meta.dirname, '..');
const POLL_MS = 100;
const DEADLINE_MS = 120_000;
let failed = 0;

const server = await connect();
try {
  await verify(server);
} finally {
  server.stop();
}
process.stdout.write(failed === 0 ? 'all checks passed\n' : `${failed} checks failed\n`);
process.exitCode = failed === 0 ? 0 : 1;

async function verify({ url, token }: Server): Promise<void> {
  const api = client(`${url}/api/devloop`, token);
  const requirement = recordedRequirement('phase0');
  const created = (await api('POST', '/projects', {
    requirement,
    settings: { gates: { prd: true, sdd: true } },
  })) as ProjectAnswer;
  const { path } = (await api('GET', `/projects/${created.pid}`)) as ProjectAnswer;
  const git = gitIn(path);
  check(
    'after create .git holds HEAD, config, objects, refs',
    ['HEAD', 'config', 'objects', 'refs'].every((name) => existsSync(join(path, '.git', name))),
  );
  check('the first commit holds .gitignore', git('ls-tree', '--name-only', 'HEAD').split('\n').includes('.gitignore'));
  check(
    'the log has init',
    subjects(git).some((line) => line.startsWith(`init: project ${created.pid} · `)),
  );

  await api('POST', `/projects/${created.pid}/run`);
  await waitFor(api, created.pid, 'waiting_approval');
  check(
    'after PM the log has init and prd: rev 1',
    subjects(git)[0]?.startsWith('prd: rev 1 · ') === true && subjects(git).length === 2,
  );
  await api('POST', `/projects/${created.pid}/approve`, { gate: 'prd' });
  await waitFor(api, created.pid, 'waiting_approval', () => subjects(git)[0]?.startsWith('sdd:') === true);
  check('then sdd: rev 1', subjects(git)[0]?.startsWith('sdd: rev 1 · ') === true);
  await api('POST', `/projects/${created.pid}/approve`, { gate: 'sdd' });
  const shipped = await waitFor(api, created.pid, 'shipped');

  await verifyUnits(api, git, shipped);
  check('the last commit is ship: prd@1 sdd@1', subjects(git)[0] === 'ship: prd@1 sdd@1');
  const tags = git('tag', '--list').split('\n');
  check(
    'tags prd-rev-1, sdd-rev-1, shipped-v1-1',
    ['prd-rev-1', 'sdd-rev-1', 'shipped-v1-1'].every((tag) => tags.includes(tag)),
  );
  check('git fsck --strict is clean', git('fsck', '--strict', '--no-dangling') === '');
  await verifyArchive(url, token, git, created.pid);
}

async function verifyUnits(api: Api, git: Git, project: ProjectAnswer): Promise<void> {
  let injected = 0;
  for (const { id } of project.units) {
    const commits = subjects(git).filter((line) => line.startsWith(`code(${id}): `));
    const fits = /: (implement · attempt 1|retry → green · attempt \d+)$/.test(commits[0] ?? '');
    check(`main has one coder commit for ${id}: ${commits[0]}`, commits.length === 1 && fits);
    const { items } = (await api('GET', `/projects/${project.pid}/units/${id}/attempts`)) as {
      items: readonly { verdict: string }[];
    };
    const reds = items.filter((attempt) => attempt.verdict === 'red').length;
    const log = readFileSync(join(project.path, 'units', id, 'coder.log'), 'utf8');
    if (reds === 0) continue;
    injected++;
    const sections = new Set(log.match(/attempt \d+/g));
    check(`coder.log of ${id} holds every attempt`, sections.size === reds + 1);
  }
  check('a bug was injected and attempts lists the red one', injected > 0);
}

async function verifyArchive(url: string, token: string, git: Git, pid: string): Promise<void> {
  const response = await fetch(`${url}/api/devloop/projects/${pid}/archive?ref=HEAD&format=tar`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const archive = Buffer.from(await response.arrayBuffer());
  const listed = execFileSync('tar', ['-tf', '-'], { input: archive, encoding: 'utf8' });
  const files = listed.split('\n').filter((line) => line !== '' && !line.endsWith('/'));
  const tracked = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  check('the archive holds the tracked files only', files.sort().join('\n') === tracked.sort().join('\n'));
}

type Api = (method: string, path: string, body?: unknown) => Promise<unknown>;
type Git = (...argv: readonly string[]) => string;

function client(base: string, token: string): Api {
  return async (method, path, body) => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
}

async function waitFor(
  api: Api,
  pid: string,
  status: string,
  also: () => boolean = () => true,
): Promise<ProjectAnswer> {
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const project = (await api('GET', `/projects/${pid}`)) as ProjectAnswer;
    if (project.status === status && also()) return project;
    if (project.status === 'blocked' || Date.now() > deadline) {
      throw new Error(`project ${pid} is ${project.status} (${project.reason}: ${project.detail}), not ${status}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function gitIn(path: string): Git {
  return (...argv) =>
    execFileSync('git', ['-C', path, ...argv], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
}

function subjects(git: Git): readonly string[] {
  return git('log', '--format=%s').split('\n');
}

function recordedRequirement(name: string): string {
  const [header = ''] = readFileSync(join(ROOT, 'templates', 'demo', name, 'recording.ndjson'), 'utf8').split('\n', 1);
  return (JSON.parse(header) as { requirement: string }).requirement;
}

function check(claim: string, holds: boolean): void {
  if (!holds) failed++;
  process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${claim}\n`);
}

async function connect(): Promise<Server> {
  const { values } = parseArgs({ options: { url: { type: 'string' }, 'token-file': { type: 'string' } } });
  if (values.url !== undefined) {
    const file = values['token-file'];
    if (file === undefined) throw new Error('--url needs --token-file');
    return { url: values.url, token: readFileSync(file, 'utf8').trim(), stop: () => undefined };
  }
  return startServer();
}

async function startServer(): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'devloop-phase0-'));
  const child = spawn(
    process.execPath,
    [join(ROOT, 'scripts', 'bootstrap.mjs'), 'serve', '--port', '0', '--data', data, '--json'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  for await (const line of createInterface({ input: child.stdout })) {
    const { url, token_file } = JSON.parse(line) as { url: string; token_file: string };
    child.stdout.resume();
    return {
      url,
      token: readFileSync(token_file, 'utf8').trim(),
      stop: () => {
        child.once('exit', () => rmSync(data, { recursive: true, force: true }));
        child.kill('SIGTERM');
      },
    };
  }
  throw new Error('the server ended before it listened');
}
