/** True for a name that is a script's path: what node:test calls a test file's own result. */
export function isTestFile(name: string): boolean {
  return /^(?:[\w@.-]*\/)*[\w@.-]+\.[cm]?[jt]sx?$/.test(name);
}

/** An error's words; its kind before them, where the kind says more than that an assertion failed. */
export function spokenError(kind: string | undefined, words: string): string {
  return kind === undefined || kind === 'Error' || kind.startsWith('AssertionError') ? words : `${kind}: ${words}`;
}

/** The first line of a printed error, such as `SyntaxError: Unexpected token`, among the lines that a program printed. */
export function errorLine(lines: readonly string[]): string | undefined {
  const line = lines.find((one) => /^\s*(?:Uncaught )?[A-Z]?\w*Error\b(?: \[\w+\])?: \S/.test(one));
  if (line === undefined) return undefined;
  const [, kind, words] = /(\w*Error)\b(?: \[\w+\])?: (.*)$/.exec(line) ?? [];
  return spokenError(kind, words ?? line.trim());
}

/** The words of an error as `util.inspect` prints it: without its stack, its properties, its quotes. */
export function inspectedError(lines: readonly string[]): string {
  const stack = lines.findIndex((line) => /^\s+at \S/.test(line));
  const words = (stack < 0 ? lines : lines.slice(0, stack)).join('\n').trim();
  const quoted = /^'(.*)'$/s.exec(words)?.[1];
  if (quoted !== undefined) return quoted.replace(/\\'/g, "'");
  const bare = words.replace(/^\[(.*?)\](?: \{.*)?$/s, '$1').replace(/\s*\{$/, '');
  const [, kind, rest] = /^(\w*Error\w*)(?: \[\w+\])?: (.*)$/s.exec(bare) ?? [];
  return rest === undefined ? bare : spokenError(kind, rest);
}
