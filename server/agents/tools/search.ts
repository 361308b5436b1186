import { z } from 'zod';
import { pathText } from '../../domain/byte-path.ts';
import { defineTool, refused } from './tool.ts';

const MOST_FILES = 5000;
const MOST_MATCHES = 200;
const MOST_COLUMNS = 300;

export const search = defineTool({
  name: 'search',
  description: `Finds lines that hold a text (no pattern) in the project's text files: path:line: text, at most ${MOST_MATCHES}.`,
  args: z.strictObject({
    text: z.string().min(1).max(1000),
    path: z.string().default('.').describe("a folder, relative to the project's root"),
    ignore_case: z.boolean().default(false),
  }),
  run: ({ text, path, ignore_case }, { jail }) => {
    const folder = jail.readable(path);
    if (folder.kind === 'refused') return refused(folder.why);
    const listed = jail.list(folder.path, MOST_FILES);
    if (listed.kind === 'refused') return refused(listed.why);
    const fold = (line: string) => (ignore_case ? line.toLowerCase() : line);
    const wanted = fold(text);
    const found: string[] = [];
    for (const file of listed.files) {
      const read = jail.read(file);
      if (read.kind === 'refused' || read.text === undefined) continue;
      for (const [i, line] of read.text.split('\n').entries()) {
        if (!fold(line).includes(wanted)) continue;
        if (found.length === MOST_MATCHES) return { text: [...found, '… more lines match'].join('\n') };
        found.push(`${pathText(file).path}:${i + 1}: ${line.slice(0, MOST_COLUMNS)}`);
      }
    }
    if (listed.more) found.push(`… only the first ${MOST_FILES} files were searched`);
    return { text: found.length === 0 ? 'no line matches' : found.join('\n') };
  },
});
