import type { MessageKey, Messages } from './en.ts';
import { fill, languageOf, type Values } from './translate.ts';

/** The language that the reader's browser prefers. */
export const language = languageOf(navigator.languages);
let messages: Messages | undefined;

/** Fetches the texts of that language; nothing can be said before. */
export async function loadTexts(): Promise<void> {
  messages = language === 'zh' ? (await import('./zh.ts')).zh : (await import('./en.ts')).en;
}

/** A text of the page in that language. */
export const t = (key: MessageKey, values?: Values): string => fill(messages?.[key] ?? key, values);

/** A text by a key that is put together, such as a status; the last part of the key where there is none. */
export function tOf(group: string, name: string): string {
  const found = (messages as Readonly<Record<string, string>> | undefined)?.[`${group}.${name}`];
  return found ?? name;
}
