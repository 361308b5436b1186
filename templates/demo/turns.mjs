// What the scripts of the embedded recordings are written with.
import { readFileSync } from 'node:fs';

/** Reads files that lie beside a script. @param base its import.meta.url */
export function filesOf(base) {
  const text = (name) => readFileSync(new URL(`files/${name}`, base), 'utf8');
  return { text, json: (name) => JSON.parse(text(name)) };
}

export const read = (path) => ['read_file', { path }];
export const write = (path, content) => ['write_file', { path, content }];
export const edit = (path, old_text, new_text) => ['edit_file', { path, old_text, new_text }];

/** A turn that calls tools. */
export const act = (say, ...calls) => ({ say, calls });

/** The last turn: words, and the result. */
export const finish = (say, result) => ({ say: `${say}\n\n\`\`\`json\n${JSON.stringify(result, null, 2)}\n\`\`\``, calls: [] });

/** Stands for the id of the run that the call is about. */
export const RUN = '{{devloop:run}}';
