/** Values that stand where a message has `{name}`. */
export type Values = Readonly<Record<string, string | number>>;

/** Puts values into a message. */
export function fill(message: string, values: Values = {}): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The language of the page for what a browser prefers, in its order. */
export function languageOf(preferred: readonly string[]): 'en' | 'zh' {
  for (const language of preferred) {
    if (/^zh\b/i.test(language)) return 'zh';
    if (/^en\b/i.test(language)) return 'en';
  }
  return 'en';
}
