import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { PROTECT_ACTIONS } from '../protect-actions.ts';
import { protectText } from '../protect-text.ts';

export const protect = defineCommand({
  summary: 'Look after the history of this folder',
  args: {
    action: { description: '`status`, `verify`, `purge`, `explain`, `prune` or `list`' },
    path: { description: 'what to purge or explain', optional: true },
  },
  routes: [],
  examples: [
    { command: 'devloop protect status', what: 'what is protected, what is not and why' },
    { command: 'devloop protect verify', what: 'reads the whole store' },
    { command: 'devloop protect explain dist/app.js', what: 'which rule decides' },
    { command: 'devloop protect purge .env --yes', what: 'out of every point, for good' },
  ],
  run: async ({ action, path }, context) => {
    const run = PROTECT_ACTIONS[action];
    if (run !== undefined) return { action, ...(await run(context, path)) };
    throw new DevLoopError('bad_request', `There is no \`devloop protect ${action}\`.`, {
      hint: `One of ${Object.keys(PROTECT_ACTIONS).join(', ')}.`,
    });
  },
  print: protectText,
  status: (shown) => ('problems' in shown && shown.problems.length > 0 ? EXIT.failed : EXIT.ok),
});
