import { checkProgram } from './check-program.ts';
import { commandWords } from './command-words.ts';
import { loadShellParser, type ShellNode, type ShellParser } from './shell-parser.ts';
import { knownWord, shellWord } from './shell-word.ts';
import type { Refusal, Standing } from './standing.ts';

export type { Refusal };

/**
 * Looks at commands before they run and refuses those that would run git, or whose meaning only running them would tell:
 * a program's name made by the shell, code given inline that starts programs. It reads the whole syntax tree, but no
 * files: scripts and programs that start git are left to the refusing `git` in PATH and to the sandbox.
 */
export interface CommandGuard {
  /** Of text for a shell. */
  checkScript(text: string): Refusal;
  /** Of an argument list that no shell reads. */
  checkArguments(argv: readonly string[]): Refusal;
}

/** Loads the shell's grammar on the first call. */
export async function loadCommandGuard(): Promise<CommandGuard> {
  const parse = await loadShellParser();
  const newCheck = (): ScriptCheck => ({ parse, deadline: performance.now() + BUDGET_MS, depth: 0 });
  return {
    checkScript: (text) => checkScript(text, newCheck()),
    checkArguments: (argv) => {
      const check = newCheck();
      const standing = standingOf({ kind: 'none' }, (text) => checkScript(text, check));
      return argv.length === 0 ? 'there is no program' : checkProgram(argv.map(knownWord), standing);
    },
  };
}

/** Scripts within scripts: deeper than this nobody means well. */
const MAX_DEPTH = 8;
/** What a text can cost grows faster than its length, and the server waits meanwhile. */
const MAX_LENGTH = 20_000;
const BUDGET_MS = 500;

interface ScriptCheck {
  readonly parse: ShellParser;
  readonly deadline: number;
  readonly depth: number;
}

function checkScript(text: string, check: ScriptCheck): Refusal {
  if (text.length > MAX_LENGTH) return 'it is too long to be looked at';
  if (check.depth > MAX_DEPTH) return 'scripts are nested too deep';
  const nested = (script: string): Refusal => checkScript(script, { ...check, depth: check.depth + 1 });
  const use = (root: ShellNode): Refusal => checkTree(root, nested, check.deadline);
  return check.parse(text, { deadline: check.deadline, use, otherwise: TANGLED });
}

const TANGLED = 'it is too tangled to be looked at';

function checkTree(root: ShellNode, nested: (script: string) => Refusal, deadline: number): Refusal {
  if (root.hasError) return 'it cannot be read as a shell script';
  for (const node of root.descendantsOfType(['command', 'variable_assignment'])) {
    if (node === null) continue;
    if (performance.now() > deadline) return TANGLED;
    const refusal = node.type === 'command' ? checkCommand(node, nested) : checkAssignment(node, nested);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function checkCommand(node: ShellNode, nested: (script: string) => Refusal): Refusal {
  const words = commandWords(node);
  return words.length === 0 ? undefined : checkProgram(words, standingOf(inputOf(node), nested));
}

function standingOf(input: Standing['input'], checkScript: Standing['checkScript']): Standing {
  const standing: Standing = { input, checkScript, checkProgram: (words) => checkProgram(words, standing) };
  return standing;
}

/** Variables whose value a shell runs. */
function checkAssignment(node: ShellNode, nested: (script: string) => Refusal): Refusal {
  const name = node.childForFieldName('name')?.text ?? '';
  if (!/^(PROMPT_COMMAND|BASH_ENV|ENV|PS[0-4]|SHELL|EDITOR|VISUAL|PAGER|BROWSER)$/.test(name)) return undefined;
  const value = node.childForFieldName('value');
  const text = value === null ? '' : shellWord(value).text;
  return text === undefined ? `what ${name} would run is not plain` : nested(text);
}

/** Where a program's standard input comes from, as far as the script tells. */
function inputOf(command: ShellNode): Standing['input'] {
  const statement = command.parent?.type === 'redirected_statement' ? command.parent : undefined;
  const redirects = [...command.namedChildren, ...(statement?.namedChildren ?? [])];
  for (const redirect of redirects) {
    if (redirect?.type === 'herestring_redirect') return herestring(redirect);
    if (redirect?.type === 'heredoc_redirect') return heredoc(redirect);
    if (redirect?.type === 'file_redirect' && redirect.text.includes('<')) return { kind: 'unknown' };
  }
  const outer = statement ?? command;
  const pipeline = outer.parent?.type === 'pipeline' ? outer.parent : undefined;
  const first = pipeline?.firstNamedChild;
  return first && first.startIndex !== outer.startIndex ? { kind: 'unknown' } : { kind: 'none' };
}

function herestring(redirect: ShellNode): Standing['input'] {
  const word = redirect.namedChildren.at(-1);
  const text = word ? shellWord(word).text : undefined;
  return text === undefined ? { kind: 'unknown' } : { kind: 'text', text };
}

function heredoc(redirect: ShellNode): Standing['input'] {
  const body = redirect.namedChildren.find((child) => child?.type === 'heredoc_body');
  return body ? { kind: 'text', text: body.text } : { kind: 'unknown' };
}
