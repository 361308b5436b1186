// The second process of the HTTP bench: the app on a data folder, or (with `bare`) an express server that does the least. Takes orders as lines of JSON on stdin, answers with one line each.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import express, { type Response } from 'express';
import { openApp } from '../../../server/app.ts';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import { type ProjectId, parseCallId } from '../../../server/domain/ids.ts';
import { DEVLOOP } from '../../../server/domain/roles.ts';
import { DEFAULT_TEAM } from '../../../server/domain/team.ts';

const [kind = '', data = ''] = process.argv.slice(2);
const TOKEN = 'bench-token';
const CALL = parseCallId('c-bench');
const say = (answer: object) => process.stdout.write(`${JSON.stringify(answer)}\n`);
const orders = createInterface({ input: process.stdin });
await (kind === 'bare' ? bare() : whole());

async function whole(): Promise<void> {
  const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
  const app = await openApp({
    dataDir: data,
    templates: join(import.meta.dirname, '..', '..', '..', 'templates'),
    log: silent,
    sandbox: 'off',
    path: process.env.PATH ?? '',
    team: DEFAULT_TEAM,
    maxFileBytes: 1e9,
    secret: () => undefined,
    onLost: () => process.exit(1),
  });
  const http = app.server({ token: TOKEN, version: '0.0.0' });
  const { port } = await http.listen({ host: '127.0.0.1', port: 0 });
  say({ port, token: TOKEN });
  for await (const line of orders) {
    const order = JSON.parse(line) as Order;
    if (order.do === 'projects') say({ pids: await projects(order.count) });
    if (order.do === 'boot') say({ booted: await app.booted.then(() => true) });
    if (order.do === 'publish') {
      await publish(order, (text) => app.ledgers.publish(order.pid, { kind: 'agent_output', call: CALL, text }));
      say({ done: true });
    }
    if (order.do === 'fill') {
      await fill(order.pid, order.bytes);
      say({ done: true });
    }
  }
  await http.close(0);
  await app.close();

  async function projects(count: number): Promise<readonly ProjectId[]> {
    const pids: ProjectId[] = [];
    const numbers = Array.from({ length: count }, (_, i) => i).values();
    // A creation waits for the disk most of the time.
    const make = async () => {
      for (const i of numbers) pids.push((await app.loop.create({ requirement: `Project number ${i}` })).pid);
    };
    await Promise.all(Array.from({ length: 16 }, make));
    return pids;
  }

  async function fill(pid: ProjectId, bytes: number): Promise<void> {
    const { path } = await app.loop.project(pid);
    const folder = join(path, 'units', 'big', 'code');
    mkdirSync(folder, { recursive: true });
    const size = 40_000_000;
    for (let i = 0; i * size < bytes; i++) writeFileSync(join(folder, `${i}.bin`), noise(size, i));
    await app.vault.commit(pid, {
      kind: 'wip',
      subject: 'big',
      author: DEVLOOP,
      trailers: [],
      files: [bytePathFromText('units/**')],
      key: 'big',
      onEmpty: 'throw',
    });
  }
}

type Order =
  | { readonly do: 'projects'; readonly count: number }
  | { readonly do: 'boot' }
  | ({ readonly do: 'publish' } & Publishing)
  | { readonly do: 'fill'; readonly pid: ProjectId; readonly bytes: number };

interface Publishing {
  readonly pid: ProjectId;
  readonly rate: number;
  readonly seconds: number;
}

/** The least that express can do for the same: a text that is ready, and a write to each reader. */
async function bare(): Promise<void> {
  const app = express();
  const readers = new Set<Response>();
  const body = { pid: 'p-bench', text: 'x'.repeat(1_500) };
  app.get('/project', (_request, response) => {
    response.json(body);
  });
  app.get('/events', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    readers.add(response);
  });
  const server = app.listen(0, '127.0.0.1', () => {
    const address = server.address();
    say({ port: typeof address === 'object' ? address?.port : 0, token: TOKEN });
  });
  let id = 0;
  for await (const line of orders) {
    const order = JSON.parse(line) as Publishing;
    await publish(order, (text) => {
      id += 1;
      const frame = `id: ${id}\nevent: agent.output\ndata: ${JSON.stringify({ text, ts: new Date().toISOString() })}\n\n`;
      for (const reader of readers) reader.write(frame);
    });
    say({ done: true });
  }
  server.closeAllConnections();
  server.close();
}

async function publish({ rate, seconds }: Publishing, send: (text: string) => void): Promise<void> {
  const begin = performance.now();
  for (let i = 0; i < rate * seconds; i++) {
    const ahead = (i * 1000) / rate - (performance.now() - begin);
    if (ahead > 1) await delay(ahead);
    send(`line ${i} of what an agent prints while it works`);
  }
}

/** Bytes that no compression helps with. */
function noise(size: number, seed: number): Uint8Array {
  const words = new Uint32Array(size / 4);
  let state = seed + 1;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}
