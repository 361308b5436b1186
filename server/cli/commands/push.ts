import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const push = defineCommand({
  summary: 'Push a project to a branch of a remote; never by force, and no open finding leaves',
  args: { pid: PID, remote: { description: 'name of a remote: devloop remotes lists them' } },
  flags: {
    branch: flag.text('--branch <name>', 'the branch there that main goes to; main where absent'),
    tags: flag.on('--tags', 'all tags as well'),
    tokenFile: flag.text('--token-file <file>', 'for https: a file with a token, which is used once and kept nowhere'),
  },
  routes: ['POST /projects/:pid/push'],
  examples: [
    {
      command: 'devloop push p-k3v7q2ma forge --tags',
      what: 'with the ssh keys of the account that the server runs as',
    },
    { command: 'devloop push p-k3v7q2ma forge --branch from-devloop', what: 'beside what others work on' },
  ],
  run: async ({ pid, remote, branch = 'main', tags, tokenFile }, { connect, cwd, signal }) => {
    const token = tokenFile === undefined ? {} : { token: readToken(resolve(cwd, tokenFile)) };
    const { api } = await connect();
    return api.call('POST /projects/:pid/push', { params: { pid }, body: { remote, branch, tags, ...token }, signal });
  },
  print: ({ pushed }) => table(pushed.map(({ outcome, ref }) => [outcome, ref])),
});

function readToken(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new DevLoopError('not_found', `${path} cannot be read as a file with a token.`, { cause: error });
  }
}
