import { en, type MessageKey, type Messages } from './en.ts';
import { fill, languageOf, type Values } from './translate.ts';
import { zh } from './zh.ts';

/** The language that the reader's browser prefers. */
export const language = languageOf(navigator.languages);
const messages: Messages = language === 'zh' ? zh : en;

/** A text of the page in that language. */
export const t = (key: MessageKey, values?: Values): string => fill(messages[key], values);

/** A text by a key that is put together, such as a status; the last part of the key where there is none. */
export function tOf(group: string, name: string): string {
  const found = (messages as Readonly<Record<string, string>>)[`${group}.${name}`];
  return found ?? name;
}
