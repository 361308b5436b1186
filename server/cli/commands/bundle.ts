import { defineCommand } from '../command.ts';
import { PID } from '../flags.ts';
import { DOWNLOAD_FLAGS, downloadText, saveDownload } from '../save-download.ts';

export const bundle = defineCommand({
  summary: 'Download the whole history as a git bundle',
  args: { pid: PID },
  flags: DOWNLOAD_FLAGS,
  routes: ['GET /projects/:pid/bundle'],
  examples: [{ command: 'devloop bundle p-k3v7q2ma -o project.bundle', what: 'git clone project.bundle' }],
  run: async ({ pid, output }, context) => {
    const { api } = await context.connect();
    return saveDownload(
      await api.fetch('GET /projects/:pid/bundle', { params: { pid }, signal: context.signal }),
      output,
      context,
    );
  },
  print: downloadText,
});
