import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag, PID } from '../flags.ts';

interface FileContent {
  readonly path: string;
  /** Where it is UTF-8 text. */
  readonly content?: string;
  readonly content_b64?: string;
}

export const file = defineCommand({
  summary: 'Print a file of a revision',
  args: { pid: PID, path: { description: 'the file' } },
  flags: { ref: flag.text('--ref <rev>', 'the revision; HEAD where absent') },
  routes: ['GET /projects/:pid/file'],
  examples: [
    { command: 'devloop file p-k3v7q2ma prd/prd.md --ref prd-rev-1', what: 'the first revision of the requirements' },
  ],
  run: async ({ pid, ...query }, { connect }) => {
    const response = await (await connect()).api.fetch('GET /projects/:pid/file', {
      params: { pid },
      query: withoutUndefined(query),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const text = response.headers.get('content-type')?.startsWith('text/') === true;
    return { path: query.path, ...(text ? { content: bytes.toString() } : { content_b64: bytes.toString('base64') }) };
  },
  print: (shown: FileContent) => shown.content ?? Buffer.from(shown.content_b64 ?? '', 'base64'),
});
