import type { TestCase } from '../../domain/verdicts.ts';
import { type Reading, testId } from './reading.ts';

const STATUS: Readonly<Record<string, TestCase['status']>> = { ok: 'passed', FAILED: 'failed', ignored: 'skipped' };

/** Reads what `cargo test` prints: a line a test, then what the failed ones printed. Modules are suites. */
export function readCargoTest(text: string): Reading | undefined {
  const lines = text.split(/\r?\n/);
  if (!lines.some((line) => /^running \d+ tests?$/.test(line))) return undefined;
  const messages = readMessages(lines);
  const tests = lines.flatMap((line): readonly TestCase[] => {
    const [, name, word] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)\b/.exec(line) ?? [];
    const status = STATUS[word ?? ''];
    if (name === undefined || status === undefined) return [];
    const message = status === 'failed' ? { message: messages.get(name) ?? 'failed' } : {};
    return [{ id: testId(name.split('::')), status, ...message }];
  });
  return { runner: 'cargo test', tests, groups: [] };
}

const END = /^(---- .+ stdout ----|failures:|note: |stack backtrace:)/;

function readMessages(lines: readonly string[]): ReadonlyMap<string, string> {
  const messages = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const name = /^---- (.+) stdout ----$/.exec(lines[at] ?? '')?.[1];
    if (name === undefined) continue;
    let end = at + 1;
    while (end < lines.length && !END.test(lines[end] ?? '')) end++;
    messages.set(name, panicWords(lines.slice(at + 1, end)));
  }
  return messages;
}

/** The words after the line that tells thread (with its id) and place. */
function panicWords(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
  const words = lines
    .slice(at + 1)
    .join('\n')
    .trim();
  return words || 'failed';
}
