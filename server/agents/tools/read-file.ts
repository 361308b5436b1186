import { z } from 'zod';
import { defineTool, refused } from './tool.ts';

const MOST_CHARACTERS = 60_000;

export const readFile = defineTool({
  name: 'read_file',
  description: `Reads a text file of the project, at most ${MOST_CHARACTERS} characters at once; start_line and lines choose a part.`,
  args: z.strictObject({
    path: z.string().describe("relative to the project's root"),
    start_line: z.int().min(1).optional().describe('first line, from 1'),
    lines: z.int().min(1).optional().describe('how many lines'),
  }),
  run: ({ path, start_line = 1, lines }, { jail }) => {
    const source = jail.readable(path);
    if (source.kind === 'refused') return refused(source.why);
    const read = jail.read(source.path);
    if (read.kind === 'refused') return refused(read.why);
    if (read.text === undefined) return refused(`${path} is not UTF-8 text (${read.bytes} bytes)`);
    const all = read.text.split('\n');
    const part = all.slice(start_line - 1, lines === undefined ? undefined : start_line - 1 + lines).join('\n');
    if (part.length <= MOST_CHARACTERS) return { text: part };
    const shown = part.slice(0, MOST_CHARACTERS);
    const next = start_line + shown.split('\n').length - 1;
    return { text: `${shown}\n… cut here: read on with start_line ${next} (${all.length} lines in all)` };
  },
});
