import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { restText } from '../until-rest.ts';

export const signOff = defineCommand({
  summary: 'Sign a shipped project off',
  args: { pid: PID },
  flags: { user: flag.text('--user <user>', 'who signs; the commit names them') },
  routes: ['POST /projects/:pid/sign-off'],
  examples: [{ command: 'devloop sign-off p-k3v7q2ma --user ann', what: 'commits and tags the final version' }],
  run: async ({ pid, user = 'user' }, { connect }) =>
    (await connect()).api.call('POST /projects/:pid/sign-off', { params: { pid }, body: { user_id: user } }),
  print: restText,
});
