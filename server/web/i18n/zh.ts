import type { Messages } from './en.ts';
import { zhHistory } from './zh-history.ts';
import { zhProblems } from './zh-problems.ts';
import { zhProject } from './zh-project.ts';
import { zhWords } from './zh-words.ts';

/** Everything that the page says, in Chinese. */
export const zh: Messages = { ...zhProject, ...zhHistory, ...zhProblems, ...zhWords };
