import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';
import { DOWNLOAD_FLAGS, downloadText, saveDownload } from '../save-download.ts';

export const exportProject = defineCommand({
  summary: 'Download the tracked files of a revision as an archive, or list them with their digests',
  args: { pid: PID },
  flags: {
    ...DOWNLOAD_FLAGS,
    ref: flag.text('--ref <rev>', 'the revision; HEAD where absent'),
    format: flag.choice('--format <format>', 'zip where absent', ['zip', 'tar', 'tar.gz']),
    prefix: flag.text('--prefix <folder>', 'one leading folder for every entry'),
    manifest: flag.on('--manifest', 'list path, size and sha256 of each file instead'),
  },
  routes: ['GET /projects/:pid/archive', 'GET /projects/:pid/archive/manifest'],
  examples: [
    { command: 'devloop export p-k3v7q2ma --format zip -o project.zip', what: 'nothing that is not tracked' },
    { command: 'devloop export p-k3v7q2ma --ref shipped-v1-1 -o - --format tar | tar -t', what: 'as a stream' },
  ],
  run: async ({ pid, ref, format, prefix, manifest, output }, context) => {
    const { api } = await context.connect();
    const { signal } = context;
    if (manifest)
      return api.call('GET /projects/:pid/archive/manifest', {
        params: { pid },
        query: withoutUndefined({ ref }),
        signal,
      });
    const query = withoutUndefined({ ref, format, prefix });
    return saveDownload(
      await api.fetch('GET /projects/:pid/archive', { params: { pid }, query, signal }),
      output,
      context,
    );
  },
  print: (done) =>
    'tree' in done ? done.files.map(({ sha256, path }) => `${sha256}  ${path}\n`).join('') : downloadText(done),
});
