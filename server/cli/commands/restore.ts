import { resolve } from 'node:path';
import { parsePointId } from '../../domain/point.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { RESTORE_SCOPES } from '../../domain/workspace-restore.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { restoreByPlan, restoreOutcomeText, restoreStatus } from '../restore-flow.ts';
import { typedPaths } from '../workspace-path.ts';

export const restore = defineCommand({
  summary: 'Make the files of this folder those of a point: shown first, and can be undone',
  args: { id: { description: 'the point; `devloop snaps` lists them' } },
  flags: {
    to: flag.text('--to <dir>', 'into a new folder instead'),
    only: flag.list('--only <path>', 'only this file or folder; may be repeated'),
    scope: flag.choice('--scope <scope>', '`agent`: only what the turn changed and nobody after it', RESTORE_SCOPES),
    dryRun: flag.on('--dry-run', 'show the plan only'),
  },
  routes: ['POST /workspaces/:ws/restores', 'POST /workspaces/:ws/restores/:id/apply'],
  examples: [
    { command: 'devloop restore 20261130t180000000-0a1b2c', what: 'shows the plan and asks' },
    { command: 'devloop restore 20261130t180000000-0a1b2c --only src --yes', what: 'one folder' },
    { command: 'devloop restore 20261130t180000000-0a1b2c --to ../before', what: 'beside, to look at' },
  ],
  run: async ({ id, to, only, scope, dryRun }, { workspace: open, terminal, yes, cwd }) => {
    const workspace = await open();
    const point = parsePointId(id);
    const paths = only.length === 0 ? undefined : [...typedPaths(only, { cwd, root: workspace.root })];
    if (to !== undefined) {
      const folder = resolve(cwd, to);
      return { folder, report: await workspace.restoreInto(point, folder, paths) };
    }
    const view = await workspace.planRestore({ point, ...withoutUndefined({ scope, only: paths }) });
    return restoreByPlan(workspace, view, { terminal, yes, dryRun, scope });
  },
  print: (outcome) => ('folder' in outcome ? `written to ${outcome.folder}\n` : restoreOutcomeText(outcome)),
  status: (outcome) => ('folder' in outcome ? 0 : restoreStatus(outcome)),
});
