import { defineCommand } from '../command.ts';
import { reportText } from '../point-text.ts';

export const redo = defineCommand({
  summary: 'Take the last restore or undo in this folder back',
  routes: ['POST /workspaces/:ws/restores/:id/undo'],
  examples: [{ command: 'devloop redo', what: 'what the undo has changed is as it was before it' }],
  run: async (_input, { workspace }) => (await workspace()).undoRestore(),
  print: reportText,
});
