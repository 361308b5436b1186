import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import {
  createHttpServer,
  type HealthCheck,
  type HttpOptions,
  type WorkspaceService,
} from '../../server/http/index.ts';
import { checkResponse } from './check-response.ts';
import { FakeFeed } from './fakes/fake-feed.ts';
import { FakeLoop } from './fakes/fake-loop.ts';
import { FakeVault } from './fakes/fake-vault.ts';

export const TOKEN = 'test-token-0123456789';
export const DATA = '/data';

/** For tests that are about projects. */
const NO_WORKSPACES = new Proxy({} as WorkspaceService, {
  get: (_target, name) => () => {
    throw new Error(`no workspaces here to ${String(name)}`);
  },
});

export interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are checked by the assertions that read them
  readonly body: any;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  readonly raw?: string | Uint8Array;
  readonly token?: string | undefined;
}

export interface HttpUnderTest {
  readonly url: string;
  readonly port: number;
  readonly loop: FakeLoop;
  readonly vault: FakeVault;
  readonly feed: FakeFeed;
  readonly checks: HealthCheck[];
  readonly logged: string[];
  readonly issueKey: () => string;
  /** Sends exactly this path, also one that `fetch` would tidy up. */
  send(method: string, path: string, options?: SendOptions): Promise<Reply>;
  /** Below /api/devloop; what begins with /workspaces below /api. The answer must fit its schema. */
  api(method: string, path: string, body?: unknown, headers?: SendOptions['headers']): Promise<Reply>;
  /** Lets running requests finish. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The HTTP face over fakes, on a port of its own; over real workspaces where they are given. */
export async function httpUnderTest({
  workspaces = NO_WORKSPACES,
  ...options
}: Partial<HttpOptions> & { readonly workspaces?: WorkspaceService } = {}): Promise<HttpUnderTest> {
  const loop = new FakeLoop();
  const vault = new FakeVault(loop);
  const feed = new FakeFeed();
  const checks: HealthCheck[] = [{ name: 'git', ok: true }];
  const logged: string[] = [];
  const log = (message: string, data?: unknown) => {
    logged.push(`${message} ${data instanceof Object && 'error' in data ? String(data.error) : ''}`);
  };
  const server = createHttpServer(
    { loop, vault, feed, workspaces, health: { check: async () => checks } },
    { token: TOKEN, dataFolder: DATA, version: '0.0.0', log: { warn: log, error: log }, ...options },
  );
  const { url, port } = await server.listen({ host: '127.0.0.1', port: 0 });
  const send = (method: string, path: string, sent: SendOptions = {}) => sendTo(port, method, path, sent);
  return {
    url,
    port,
    loop,
    vault,
    feed,
    checks,
    logged,
    issueKey: () => server.issueKey(),
    send,
    api: async (method, path, body, headers = {}) => {
      const address = `${path.startsWith('/workspaces') ? '/api' : '/api/devloop'}${path}`;
      const reply = await send(method, address, { headers, ...(body === undefined ? {} : { body }) });
      checkResponse(method, address, reply.status, reply.body);
      return reply;
    },
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(0),
  };
}

function sendTo(
  port: number,
  method: string,
  path: string,
  { headers = {}, body, raw, ...rest }: SendOptions,
): Promise<Reply> {
  const token = 'token' in rest ? rest.token : TOKEN;
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: false,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
        ...(headers as Record<string, string | string[]>),
      },
    });
    request.once('error', reject);
    request.once('response', async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        const json = response.headers['content-type']?.includes('json') === true && text !== '';
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          body: json ? JSON.parse(text) : text,
        });
      } catch (error) {
        reject(error);
      }
    });
    request.end(content);
  });
}

/** Asserts that an answer is a problem of this status and code, complete, and without anything of our insides. */
export function assertProblem(reply: Reply, status: number, code: string): void {
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.headers['content-type'], 'application/problem+json; charset=utf-8');
  const { body } = reply;
  assert.equal(body.code, code, reply.text);
  assert.equal(body.status, status);
  assert.equal(body.type, `urn:devloop:problem:${code}`);
  for (const member of ['title', 'detail']) assert.equal(typeof body[member], 'string');
  assert.ok(Array.isArray(body.errors));
  assert.doesNotMatch(reply.text, /node_modules|\.ts:\d+|\bat .*\(/);
}
