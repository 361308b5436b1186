import { withoutUndefined } from '../../domain/without-undefined.ts';
import { RESTORE_SCOPES } from '../../domain/workspace-restore.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { restoreByPlan, restoreOutcomeText, restoreStatus } from '../restore-flow.ts';
import { typedPaths } from '../workspace-path.ts';

export const undo = defineCommand({
  summary: 'Go back to before the last turn in this folder: shown first, and can be undone',
  flags: {
    offset: flag.number('--offset <n>', 'before the turn so many before the last'),
    only: flag.list('--only <path>', 'only this file or folder; may be repeated'),
    scope: flag.choice('--scope <scope>', '`agent`: only what the turn changed and nobody after it', RESTORE_SCOPES),
    dryRun: flag.on('--dry-run', 'show the plan only'),
  },
  routes: ['POST /workspaces/:ws/restores', 'POST /workspaces/:ws/restores/:id/apply'],
  examples: [
    { command: 'devloop undo', what: 'shows the plan and asks' },
    { command: 'devloop undo --scope agent --yes', what: 'keeps what you changed since' },
  ],
  run: async ({ offset = 0, only, scope, dryRun }, { workspace: open, terminal, yes, cwd }) => {
    const workspace = await open();
    const paths = only.length === 0 ? undefined : [...typedPaths(only, { cwd, root: workspace.root })];
    const view = await workspace.planPreTurn(offset, withoutUndefined({ scope, only: paths }));
    return restoreByPlan(workspace, view, { terminal, yes, dryRun, scope });
  },
  print: restoreOutcomeText,
  status: restoreStatus,
});
