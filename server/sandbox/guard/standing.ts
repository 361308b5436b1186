import type { ShellWord } from './shell-word.ts';

/** Why something is not to be run; undefined where nothing speaks against it. */
export type Refusal = string | undefined;

/** What stands around a program, and how what it runs in its turn is looked at. */
export interface Standing {
  /** Its standard input: nothing of the script's, a text in the script, or what only running it tells. */
  readonly input: { readonly kind: 'none' | 'unknown' } | { readonly kind: 'text'; readonly text: string };
  readonly checkScript: (text: string) => Refusal;
  readonly checkProgram: (words: readonly ShellWord[]) => Refusal;
}
