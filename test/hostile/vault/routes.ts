import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DevLoopError, ERROR_CODES, type ErrorCode } from '../../../server/domain/errors.ts';
import type { ProjectId } from '../../../server/domain/ids.ts';
import { createHttpServer, type HttpServices } from '../../../server/http/index.ts';
import { statusDiff } from '../../../server/status-diff.ts';
import type { GitVault } from '../../../server/vault/index.ts';
import { FakeFeed } from '../../support/fakes/fake-feed.ts';
import { FakeLoop } from '../../support/fakes/fake-loop.ts';
import { PROJECT } from '../../support/project-folders.ts';
import type { Call } from './calls.ts';
import { FILES, type HostilePlace } from './hostile-place.ts';

const TOKEN = 'test-token-0123456789';
const NEXT = { good: 'prd-rev-1', bad: 'main', check: { unit: 'a' } };

/** Every route that looks at, or changes, a repository; of those that wait for a test, the search. */
export const REQUESTS: readonly (readonly [method: 'GET' | 'POST', path: string, body?: unknown])[] = [
  ['GET', '/commits?limit=10'],
  ['GET', '/commits/HEAD'],
  ['GET', '/tags'],
  ['GET', '/tree?path=units/a/code'],
  ['GET', '/file?path=units/a/code/x.txt'],
  ['GET', '/diff?from=prd-rev-1'],
  ['GET', '/status'],
  ['GET', '/status/diff'],
  ['GET', '/rescues'],
  ['GET', '/findings'],
  ['GET', '/trace'],
  ['GET', '/units/store/attempts'],
  ['GET', '/archive?format=zip'],
  ['GET', '/archive?format=tar'],
  ['GET', '/archive?format=tar.gz'],
  ['GET', '/archive/manifest'],
  ['GET', '/bundle'],
  ['GET', '/remotes'],
  ['POST', '/verify'],
  ['POST', '/tags', { name: 'by-http' }],
  ['POST', '/bisect', NEXT],
  ['POST', '/maintain'],
  ['POST', '/revert', { rev: 'main' }],
  ['POST', '/reset', {}],
  ['POST', '/rescues/20260101T000000000Z-none/restore'],
  ['POST', '/findings/allow', { blob: '0'.repeat(40), rule: 'none' }],
  ['POST', '/remotes', { name: 'forge', url: 'ssh://git@127.0.0.1:1/x.git' }],
  ['POST', '/push', { remote: 'forge' }],
];

/** The server's HTTP face over a hostile project, as calls: each answer must be there in time, whole, and no internal error. */
export async function routeCalls(
  vault: GitVault,
  { root, facts }: HostilePlace,
): Promise<{
  readonly calls: readonly Call[];
  readonly close: () => Promise<void>;
}> {
  let failure = '';
  const log = (_message: string, data?: Readonly<Record<string, unknown>>) => {
    failure = data?.error instanceof Error ? (data.error.stack ?? data.error.message) : String(data?.error);
  };
  const server = createHttpServer(await servicesOver(vault, root), {
    token: TOKEN,
    dataFolder: root,
    version: '0.0.0',
    log: { warn: log, error: log },
  });
  const asked = async (at: string, request: Request): Promise<void> => {
    const code = await ask(at, request);
    if (code === 'internal') throw new Error(failure);
    if (code !== undefined) throw new DevLoopError(code, `${request.method} ${at}`);
  };
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const project = `${url}/api/devloop/projects/${PROJECT}`;
  const calls = REQUESTS.map(([method, path, body]) => ({
    name: `${method} ${path}`,
    run: () => asked(`${project}${path}`, { method, body }),
  }));
  const repository = `${url}/git/default/${PROJECT}.git`;
  const offer = {
    name: 'GET /git',
    run: () => asked(`${repository}/info/refs?service=git-upload-pack`, { method: 'GET', body: undefined }),
  };
  const pack = { name: 'POST /git', run: () => askForPack(`${repository}/git-upload-pack`, facts.head) };
  return { calls: [...calls, offer, pack], close: () => server.close(0) };
}

/** Whether a folder has the files of the tag that the search begins at. */
const isFirst = (folder: string): boolean =>
  readFileSync(join(folder, 'units/a/tests/y.txt'), 'utf8') === FILES['units/a/tests/y.txt'];

interface Request {
  readonly method: 'GET' | 'POST';
  readonly body: unknown;
}

async function servicesOver(vault: GitVault, root: string): Promise<HttpServices> {
  const loop = new FakeLoop();
  const { pid: made } = await loop.create({ requirement: 'x' });
  loop.projects.set(PROJECT, { ...(await loop.project(made)), pid: PROJECT });
  const none = () => Promise.reject(new Error('there are no workspaces here'));
  return {
    loop,
    feed: new FakeFeed(),
    health: { check: async () => [] },
    workspaces: new Proxy({} as HttpServices['workspaces'], { get: () => none }),
    vault: {
      ...vault,
      bisect: (pid: ProjectId, { check: _check, ...search }) =>
        vault.bisect(pid, { ...search, check: async (folder) => (isFirst(folder) ? 'good' : 'bad') }),
      statusDiff: statusDiff({ vault, locate: async () => ({ root }) }),
      maintain: (pid: ProjectId) => vault.maintain(pid),
    },
  };
}

/** Asks for all that a commit reaches, as a clone does: the answer must be a whole pack, or a problem. */
async function askForPack(url: string, head: string): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: `0032want ${head}\n00000009done\n`,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (!answer.ok) throw new DevLoopError(codeIn(bytes, answer.status), `POST ${url}`);
  const begin = '0008NAK\n';
  const [pack, sum] = [bytes.subarray(begin.length, -20), bytes.subarray(-20)];
  const isWhole = bytes.toString('latin1', 0, begin.length) === begin && hash('sha1', pack, 'buffer').equals(sum);
  if (!isWhole) throw new Error(`no pack: ${bytes.toString('latin1', 0, 300)}`);
}

/** @returns undefined where the whole answer came, else the problem's code; a download that breaks off is an error. */
async function ask(url: string, { method, body }: Request): Promise<ErrorCode | undefined> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method, headers, ...content });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return answer.ok ? undefined : codeIn(bytes, answer.status);
}

function codeIn(bytes: Buffer, status: number): ErrorCode {
  const text = bytes.toString();
  const { code } = JSON.parse(text) as { readonly code: string };
  const known = ERROR_CODES.find((one) => one === code);
  if (known === undefined) throw new Error(`${status} ${text.slice(0, 300)}`);
  return known;
}
