import { z } from 'zod';
import { defineTool, refused } from './tool.ts';

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Replaces one piece of a text file. old_text must be there exactly once, to the letter; give more lines around it where it is not.',
  args: z.strictObject({
    path: z.string().describe("relative to the project's root"),
    old_text: z.string().min(1).describe('what is there now'),
    new_text: z.string().describe('what shall be there'),
  }),
  run: ({ path, old_text, new_text }, { jail, progress }) => {
    const target = jail.writable(path);
    if (target.kind === 'refused') return refused(target.why);
    const read = jail.read(target.path);
    if (read.kind === 'refused') return refused(read.why);
    if (read.text === undefined) return refused(`${path} is not UTF-8 text`);
    const found = read.text.split(old_text).length - 1;
    if (found !== 1)
      return refused(`old_text is ${found === 0 ? 'not' : `${found} times`} in ${path}; nothing was changed`);
    const at = read.text.indexOf(old_text);
    const bytes = Buffer.from(read.text.slice(0, at) + new_text + read.text.slice(at + old_text.length));
    progress.wrote(bytes.length);
    const written = jail.write(target.path, bytes);
    return written.kind === 'refused'
      ? refused(written.why)
      : { text: `changed line ${lineOf(read.text, at)} of ${path}` };
  },
});

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;
