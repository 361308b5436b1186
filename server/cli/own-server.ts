import type { App, AppOptions } from '../app.ts';
import { createApiClient } from './api-client.ts';
import type { Connection } from './connection.ts';
import { removeServerFile, writeServerFile } from './server-file.ts';

export interface OwnServerOptions {
  readonly openApp: (options: AppOptions) => Promise<App>;
  readonly app: AppOptions;
  /** Makes the token at first use; called when the data folder is taken. */
  readonly token: () => string;
  readonly version: string;
  readonly host: string;
  readonly port: number;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  /** True: others find it, by server.json. */
  readonly announce: boolean;
  /** Absolute path of the folder with the page, where there is one. */
  readonly page?: string | undefined;
}

export interface OwnServer extends Connection {
  readonly url: string;
  readonly port: number;
  readonly app: App;
  /** The address of the page with a key that is good once. */
  link(): string;
}

/** Takes the data folder and serves the API from this process. */
export async function startOwnServer(options: OwnServerOptions): Promise<OwnServer> {
  const { host, hosts, origins, version, page } = options;
  const { dataDir } = options.app;
  const app = await options.openApp(options.app);
  try {
    // One command's reads must not meet a repository that boot is just putting right; it waits for boot at its end anyway.
    if (!options.announce) await app.booted;
    const token = options.token();
    const http = app.server({ token, version, hosts, origins, ...(page !== undefined && { page }) });
    const { url, port } = await http.listen({ host, port: options.port });
    if (options.announce) writeServerFile(dataDir, { url, port, pid: process.pid, version });
    return {
      app,
      url,
      port,
      own: true,
      api: createApiClient({ url, token }),
      link: () => `${url}/#key=${http.issueKey()}`,
      close: async () => {
        removeServerFile(dataDir, process.pid);
        // What runs is interrupted before the last requests are waited for: nothing goes on behind a command that was told to end.
        await app.loop.stop();
        await http.close();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}
