import { enHistory } from './en-history.ts';
import { enProblems } from './en-problems.ts';
import { enProject } from './en-project.ts';
import { enWords } from './en-words.ts';

/** Everything that the page says, in English. */
export const en = { ...enProject, ...enHistory, ...enProblems, ...enWords };
export type MessageKey = keyof typeof en;
export type Messages = Readonly<Record<MessageKey, string>>;
