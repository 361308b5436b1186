import { readFileSync } from 'node:fs';
import { headerSchema, NO_SUM, openLine, sealedLine } from '../../server/agents/recorded/recording-lines.ts';

/** The text of a recording with a header that says it was written by hand, chained anew. @param date YYYY-MM-DD */
export function asScripted(path: string, date: string): string {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  let [before, after] = [NO_SUM, NO_SUM];
  const sealed = lines.map((line, i) => {
    const opened = openLine(line, before);
    if (opened === undefined) throw new Error(`line ${i + 1} of the new recording is damaged`);
    before = opened.sum;
    const content = i === 0 ? scripted(opened.value, date) : opened.value;
    const { line: written, sum } = sealedLine(content as object, after);
    after = sum;
    return written;
  });
  return `${sealed.join('\n')}\n`;
}

function scripted(value: unknown, date: string): object {
  const { schema, redaction, requirement } = headerSchema.parse(value);
  return { schema, source: 'scripted', date, redaction, requirement };
}
