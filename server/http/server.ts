import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DevLoopError, type ErrorCode } from '../domain/errors.ts';
import { closerOf } from './close-server.ts';
import { createSessionKeys } from './guard/session-keys.ts';
import { createHttpApp } from './http-app.ts';
import { type HttpOptions, httpSetup } from './options.ts';
import type { HttpServices } from './services.ts';

export interface HttpServer {
  /** Listens; port 0 picks one. Rejects with busy where the address is taken, config_invalid where it is none of this machine. */
  listen(at: {
    readonly host: string;
    readonly port: number;
  }): Promise<{ readonly url: string; readonly port: number }>;
  /** A key that the page trades for the token, once. */
  issueKey(): string;
  /** Stops listening, ends event streams, lets running requests finish for so long, then cuts them off. */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 5_000;

/** Makes the HTTP face of the services. */
export function createHttpServer(services: HttpServices, options: HttpOptions): HttpServer {
  const setup = httpSetup(options);
  const { limits } = setup;
  const keys = createSessionKeys(setup.now);
  const stopping = new AbortController();
  const hosts = new Set(setup.hosts.map((host) => host.toLowerCase()));
  const app = createHttpApp(services, { setup, keys, hosts, stopping: stopping.signal });
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: limits.header_bytes,
      requestTimeout: limits.request_ms,
      headersTimeout: Math.min(limits.request_ms, 10_000),
      connectionsCheckingInterval: Math.min(limits.request_ms, 5_000),
    },
    app,
  );
  const close = closerOf(server);
  server.on('clientError', answerBrokenRequest);
  return {
    async listen({ host, port }) {
      server.listen(port, host);
      await once(server, 'listening').catch((error: unknown) => refuseAddress(error, `${host}:${port}`));
      const at = server.address() as AddressInfo;
      for (const name of servedHosts(host, at.port)) hosts.add(name);
      return { url: `http://${host.includes(':') ? `[${host}]` : host}:${at.port}`, port: at.port };
    },
    issueKey: () => keys.issue(),
    async close(graceMs = GRACE_MS) {
      stopping.abort();
      await close(graceMs);
    },
  };
}

const LISTEN_FAULTS: Readonly<Record<string, readonly [code: ErrorCode, what: string]>> = {
  EADDRINUSE: ['busy', 'is taken by another program'],
  EADDRNOTAVAIL: ['config_invalid', 'is no address of this machine'],
  ENOTFOUND: ['config_invalid', 'is no address of this machine'],
  EACCES: ['permission_denied', 'may not be listened on'],
};

function refuseAddress(error: unknown, address: string): never {
  const [code, what] = LISTEN_FAULTS[error instanceof Error && 'code' in error ? String(error.code) : ''] ?? [];
  if (code === undefined) throw error;
  throw new DevLoopError(code, `${address} ${what}.`, {
    hint: 'Choose another with --port or --host; port 0 picks one.',
    cause: error,
  });
}

/** What a client may call this server: the loopback names, and the address it was told to listen on. */
function servedHosts(host: string, port: number): readonly string[] {
  const names = ['127.0.0.1', 'localhost', '[::1]', host.includes(':') ? `[${host}]` : host];
  return names
    .map((name) => name.toLowerCase())
    .flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`]));
}

const BROKEN: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What cannot be read as HTTP gets a problem too, and its connection is closed. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: import('node:stream').Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const line = BROKEN[error.code ?? ''] ?? '400 Bad Request';
  const [status = '400', ...words] = line.split(' ');
  const body = JSON.stringify({
    type: 'urn:devloop:problem:bad_request',
    title: words.join(' '),
    status: Number(status),
    detail: 'The request could not be read.',
    code: 'bad_request',
    errors: [],
  });
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/problem+json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
