import { z } from 'zod';
import { reportText } from '../report-text.ts';
import { defineTool, refused } from './tool.ts';

export const runTests = defineTool({
  name: 'run_tests',
  description: "Runs the unit's own test command, as the server will run it for the verdict, and tells what failed.",
  args: z.strictObject({}),
  run: async (_args, { runTests: run, progress }) => {
    if (run === undefined) return refused('there is no test command to run in this call');
    return reportText(await progress.working(run));
  },
});
