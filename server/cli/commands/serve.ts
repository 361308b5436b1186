import { join } from 'node:path';
import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|localhost|::1)$/;

export const serve = defineCommand({
  summary: 'Serve the API and the page until Ctrl-C',
  flags: {
    host: flag.text('--host <host>', 'address to listen on; another than loopback needs a token that you set'),
    port: flag.text('--port <n>', 'port to listen on; 0 picks one'),
    record: flag.text('--record <file>', 'keep what live models decide in a new file'),
  },
  routes: [],
  examples: [
    { command: 'devloop serve', what: 'prints a link to open in a browser' },
    { command: 'devloop serve --port 0 --json', what: 'the first line says where: {"event":"listening","url",…}' },
  ],
  run: async ({ record }, { config, serve: start, emit, signal }) => {
    const { settings } = await config();
    if (!LOOPBACK.test(settings.host) && settings.token === undefined) {
      throw new DevLoopError(
        'config_invalid',
        `${settings.host} can be reached from other machines, and no token is set.`,
        {
          hint: 'Set DEVLOOP_TOKEN to a secret of your own.',
        },
      );
    }
    const { url, port, link } = await start(record === undefined ? {} : { record });
    const token_file = join(settings.data_dir, '.devloop', 'token');
    const listening = { event: 'listening', url, port, pid: process.pid, data: settings.data_dir, token_file };
    await emit(
      listening,
      `DevLoop listens on ${url}\nOpen ${link()}\nThe link is good once; the token is in ${token_file}. Ctrl-C ends the server.`,
    );
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener('abort', resolve, { once: true });
    });
  },
});
