import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openReaders } from './http/readers.ts';
import { type SecondProcess, startSecondProcess } from './http/second-process.ts';
import { limitRow, type Row } from './rows.ts';

const READERS = 1_000;
const RATE = 200;
const SECONDS = 8;
const PROJECTS = 1_000;
const REQUESTS = 2_000;
const ARCHIVE_BYTES = 1_000_000_000;
const MB = 1_000_000;

/** Measures the HTTP face in a process of its own, beside an express server that does the least. */
export async function benchHttp(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'devloop-bench-http-'));
  const pid = await fill(join(folder, 'data'));
  const bare = await startSecondProcess('bare');
  const whole = await startSecondProcess('whole', join(folder, 'data'));
  try {
    await whole.order({ do: 'boot' });
    const shown = await requestsP99(whole, `/api/devloop/projects/${pid}`);
    const least = await requestsP99(bare, '/project');
    const streamed = await streams(whole, `/api/devloop/projects/${pid}/events`, { do: 'publish', pid });
    const leastStreamed = await streams(bare, '/events', {});
    const archived = await archive(whole, pid);
    return [
      limitRow(`show one of ${PROJECTS} projects, p99 ms`, { ours: shown, theirs: least, limit: 20 }),
      limitRow(`${READERS} readers, ${RATE} events/s, p99 ms`, {
        ours: streamed.p99,
        theirs: leastStreamed.p99,
        limit: 100,
      }),
      limitRow('readers that lost or doubled an event', {
        ours: streamed.wrong,
        theirs: leastStreamed.wrong,
        limit: 0,
      }),
      limitRow('memory of the server meanwhile, MB', {
        ours: streamed.memory,
        theirs: leastStreamed.memory,
        limit: 300,
      }),
      limitRow('archive of 1 GB, memory above idle, MB', { ours: archived.memory, limit: 150 }),
    ];
  } finally {
    await whole.stop();
    await bare.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Makes the projects in a process of its own, so that nothing of it is still at work when others are measured. @returns the id of one */
async function fill(data: string): Promise<string> {
  const maker = await startSecondProcess('whole', data);
  const { pids } = await maker.order<{ pids: readonly string[] }>({ do: 'projects', count: PROJECTS });
  await maker.kill();
  return pids[PROJECTS / 2] ?? '';
}

async function requestsP99({ port, token }: SecondProcess, path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const took: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const start = performance.now();
    await new Promise<void>((resolve, reject) => {
      get({ host: '127.0.0.1', port, path, agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        response.resume().once('end', resolve);
      }).once('error', reject);
    });
    took.push(performance.now() - start);
  }
  agent.destroy();
  return took.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.99)] ?? Number.NaN;
}

async function streams(server: SecondProcess, path: string, order: object) {
  const readers = await openReaders(READERS, { port: server.port, path, token: server.token });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, server.memory());
  }, 500);
  await server.order({ ...order, rate: RATE, seconds: SECONDS });
  await readers.until(RATE * SECONDS, 5_000);
  clearInterval(watch);
  readers.close();
  const { p99, wrong, events } = readers.report();
  if (events !== RATE * SECONDS) throw new Error(`${events} events came of ${RATE * SECONDS}`);
  return { p99, wrong, memory: memory / MB };
}

async function archive(server: SecondProcess, pid: string): Promise<{ readonly memory: number }> {
  await server.order({ do: 'fill', pid, bytes: ARCHIVE_BYTES });
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  const idle = server.memory();
  let most = idle;
  const watch = setInterval(() => {
    most = Math.max(most, server.memory());
  }, 50);
  const bytes = await new Promise<number>((resolve, reject) => {
    const path = `/api/devloop/projects/${pid}/archive?format=tar`;
    get(
      { host: '127.0.0.1', port: server.port, path, headers: { authorization: `Bearer ${server.token}` } },
      (response) => {
        let sum = 0;
        response.on('data', (chunk: Buffer) => {
          sum += chunk.length;
        });
        response.once('end', () => resolve(sum)).once('error', reject);
      },
    ).once('error', reject);
  });
  clearInterval(watch);
  if (bytes < ARCHIVE_BYTES) throw new Error(`the archive has ${bytes} bytes`);
  return { memory: (most - idle) / MB };
}
