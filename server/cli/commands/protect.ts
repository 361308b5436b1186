import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { PROTECT_ACTIONS } from '../protect-actions.ts';
import { protectText } from '../protect-text.ts';

export const protect = defineCommand({
  summary: 'Look after the history of this folder',
  args: {
    action: {
      description:
        '`status`, `verify`, `purge`, `explain`, `prune`, `settings`, `objects`, `list`, `attach` or `forget`',
    },
    what: {
      description:
        'a path to purge or explain, settings as JSON, `all` to prune every history, `folder` or `bucket` to move the large files to, the id of a history to attach',
      optional: true,
    },
  },
  routes: [
    'GET /workspaces',
    'POST /workspaces',
    'GET /workspaces/:ws',
    'PATCH /workspaces/:ws',
    'DELETE /workspaces/:ws',
    'GET /workspaces/:ws/status',
    'GET /workspaces/:ws/explain',
    'POST /workspaces/:ws/verify',
    'POST /workspaces/:ws/purge',
    'POST /workspaces/:ws/prune',
    'POST /workspaces/prune',
    'GET /workspaces/:ws/objects',
    'POST /workspaces/:ws/objects',
  ],
  examples: [
    { command: 'devloop protect status', what: 'what is protected, what is not and why' },
    { command: 'devloop protect verify', what: 'reads the whole store' },
    { command: 'devloop protect explain dist/app.js', what: 'which rule decides' },
    { command: 'devloop protect purge .env --yes', what: 'out of every point, for good' },
    { command: `devloop protect settings '{"exclude": ["*.log"], "max_turns": 20}'`, what: 'null is the default' },
    { command: 'devloop protect prune all', what: 'of every folder, and down to `snapshot_max_total_bytes`' },
    {
      command: 'devloop protect objects',
      what: 'where the large files are; `folder` or `bucket` behind it moves them',
    },
    { command: 'devloop protect attach 0123456789abcdef-0123456789abcdef', what: 'of a folder that was moved here' },
  ],
  run: async ({ action, what }, context) => {
    const run = PROTECT_ACTIONS[action];
    if (run !== undefined) return { action, ...(await run(context, what)) };
    throw new DevLoopError('bad_request', `There is no \`devloop protect ${action}\`.`, {
      hint: `One of ${Object.keys(PROTECT_ACTIONS).join(', ')}.`,
    });
  },
  print: protectText,
  status: (shown) => ('problems' in shown && shown.problems.length > 0 ? EXIT.failed : EXIT.ok),
});
