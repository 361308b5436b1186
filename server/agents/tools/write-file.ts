import { z } from 'zod';
import { defineTool } from './tool.ts';

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Makes a file, or replaces it whole. Folders on the way are made. Only files in your write scope.',
  args: z.strictObject({
    path: z.string().describe("relative to the project's root"),
    content: z.string().describe('the whole new content'),
  }),
  run: ({ path, content }, { jail, progress }) => {
    const bytes = Buffer.from(content);
    const target = jail.writable(path);
    if (target.kind === 'refused') return { text: `error: ${target.why}` };
    progress.wrote(bytes.length);
    const written = jail.write(target.path, bytes);
    return { text: written.kind === 'refused' ? `error: ${written.why}` : `wrote ${path}` };
  },
});
