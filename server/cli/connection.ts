import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DevLoopError, isDevLoopError } from '../domain/errors.ts';
import { type ApiClient, createApiClient } from './api-client.ts';
import { readServerFile } from './server-file.ts';

/** A way to the API, until it is closed. */
export interface Connection {
  readonly api: ApiClient;
  /** True where the server is in this process: what it runs ends with us. */
  readonly own: boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly dataDir: string;
  /** The token of a server that runs, as far as it is known here. */
  readonly token: () => string;
  /** Starts a server in this process. Throws data_folder_owned where another process has the data folder. */
  readonly start: () => Promise<Connection>;
  /** True: a data folder that is not there is made. */
  readonly create: boolean;
}

const PATIENCE_MS = 5_000;
const PAUSE_MS = 100;

/** Finds the server that runs on the data folder, else starts one in this process. */
export async function connect({ dataDir, token, start, create }: ConnectOptions): Promise<Connection> {
  if (!create && !existsSync(dataDir)) {
    throw new DevLoopError('not_found', `There is no data folder at ${dataDir}.`, {
      hint: 'Name it with --data, or begin with `devloop new` or `devloop demo`.',
    });
  }
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const url = await runningServer(dataDir);
    if (url !== undefined) return { api: createApiClient({ url, token: token() }), own: false, close: async () => {} };
    try {
      return await start();
    } catch (error) {
      if (!isDevLoopError(error, 'data_folder_owned') || Date.now() > deadline) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** The API of the server that runs on the data folder. Throws busy where none does. */
export async function requireRunning(dataDir: string, token: () => string): Promise<ApiClient> {
  const url = await runningServer(dataDir);
  if (url !== undefined) return createApiClient({ url, token: token() });
  throw new DevLoopError('busy', `No server runs on ${dataDir}.`, { hint: 'Start `devloop serve` or `devloop run`.' });
}

/** Where a server runs on the data folder and answers; undefined where none does. */
export async function runningServer(dataDir: string): Promise<string | undefined> {
  const file = readServerFile(dataDir);
  if (file === undefined) return undefined;
  try {
    const answer = await fetch(`${file.url}/healthz`, { signal: AbortSignal.timeout(2_000) });
    return answer.ok ? file.url : undefined;
  } catch (error) {
    // Nobody listens there, or not in time.
    if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
      return undefined;
    throw error;
  }
}
