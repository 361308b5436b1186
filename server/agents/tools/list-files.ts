import { z } from 'zod';
import { pathText } from '../../domain/byte-path.ts';
import { defineTool, refused } from './tool.ts';

const MOST_FILES = 2000;

export const listFiles = defineTool({
  name: 'list_files',
  description: `Lists the files below a folder of the project, at most ${MOST_FILES}, in order of their names.`,
  args: z.strictObject({ path: z.string().default('.').describe("a folder, relative to the project's root") }),
  run: ({ path }, { jail }) => {
    const folder = jail.readable(path);
    if (folder.kind === 'refused') return refused(folder.why);
    const listed = jail.list(folder.path, MOST_FILES);
    if (listed.kind === 'refused') return refused(listed.why);
    const names = listed.files.map((file) => pathText(file).path);
    if (names.length === 0) return { text: 'no files' };
    return {
      text: [...names, ...(listed.more ? [`… more than ${MOST_FILES} files: list a folder below`] : [])].join('\n'),
    };
  },
});
