import { checkSpecial } from './check-special.ts';
import {
  DETACHED,
  GIT_COMMANDS,
  INTERPRETERS,
  isGit,
  isGitProgram,
  programName,
  SHELLS,
  TALKERS,
  WRAPPERS,
} from './program-names.ts';
import type { ShellWord } from './shell-word.ts';
import type { Refusal, Standing } from './standing.ts';
import { wrappedCommand } from './wrapped-command.ts';

/** Why a program with its arguments is not to be run; the first word names it. */
export function checkProgram([first, ...args]: readonly ShellWord[], standing: Standing): Refusal {
  if (first?.text === undefined) return `which program ${first?.raw ?? 'it'} is shows only when it runs`;
  const name = programName(first.text).replace(/^(python|perl|ruby|php|lua|tclsh)[\d.]+$/, '$1');
  if (isGit(first.text)) return 'git is not available here';
  if (name.includes('{}')) return 'the program is named by other output';
  if (DETACHED.has(name)) return `${name} starts programs that the call would not end`;
  return (
    checkSpecial(name, args, standing) ??
    checkShell(name, args, standing) ??
    checkInterpreter(name, args, standing) ??
    checkWrapper(name, args, standing) ??
    checkArguments(name, args)
  );
}

function checkShell(name: string, args: readonly ShellWord[], { input, checkScript }: Standing): Refusal {
  if (!SHELLS.has(name)) return undefined;
  const { flags, rest } = shellOptions(args);
  if (/^-[A-Za-z]*c/m.test(flags)) {
    const script = rest[0]?.text;
    return script === undefined ? 'what the shell would run shows only when it runs' : checkScript(script);
  }
  const file = /^-[A-Za-z]*s/m.test(flags) ? undefined : rest[0];
  if (file !== undefined && !isStream(file)) return undefined;
  return input.kind === 'text' ? checkScript(input.text) : 'what the shell would run comes from elsewhere';
}

/** `-o NAME` and `-O NAME` take a value. */
function shellOptions(args: readonly ShellWord[]): { readonly flags: string; readonly rest: readonly ShellWord[] } {
  const flags: string[] = [];
  let at = 0;
  for (let raw = args[at]?.raw ?? ''; /^[-+]./.test(raw); raw = args[at]?.raw ?? '') {
    flags.push(raw);
    at += /^[-+][a-zA-Z]*[oO]$/.test(raw) ? 2 : 1;
    if (raw === '--') break;
  }
  return { flags: flags.join('\n'), rest: args.slice(at) };
}

const isStream = ({ raw }: ShellWord): boolean =>
  /^(?:-|<\(.*|\/dev\/(?:stdin|fd\/\d+)|\/proc\/self\/fd\/\d+)$/s.test(raw);

/** Ways to start a program, or to hide that one does. */
const STARTS =
  /\bgit\b|child_process|\bspawn|\bexec|\bsystem\b|popen|subprocess|\bpty\b|\beval\b|Function\s*\(|fromCharCode|\batob\b|base64|\bchr\s*\(|__import__|importlib|process\.binding|Deno\.(?:run|Command)|Bun\.\$|%x|`|\bshell\b|^!/;

function checkInterpreter(name: string, args: readonly ShellWord[], { input }: Standing): Refusal {
  const inline = INTERPRETERS.get(name);
  if (inline === undefined) return undefined;
  const at = args.findIndex((word) => inline.test(word.raw));
  if (at >= 0) return checkCode(name, args.slice(at));
  const file = args.find((word) => !word.raw.startsWith('-'));
  if (file !== undefined && !isStream(file)) return undefined;
  if (input.kind === 'unknown') return `what ${name} would run comes from elsewhere`;
  return input.kind === 'text' && STARTS.test(input.text) ? `the code given to ${name} may start programs` : undefined;
}

function checkCode(name: string, words: readonly ShellWord[]): Refusal {
  if (words.some((word) => word.text === undefined)) return `the code given to ${name} shows only when it runs`;
  return words.some((word) => STARTS.test(word.text ?? ''))
    ? `the code given to ${name} may start programs`
    : undefined;
}

function checkWrapper(name: string, args: readonly ShellWord[], standing: Standing): Refusal {
  const valued = WRAPPERS.get(name);
  if (valued === undefined) return undefined;
  const command = wrappedCommand(args, valued);
  return command.length === 0 ? undefined : checkProgram(command, standing);
}

/** Options by which a program is told to run another one. */
const RUNS = /(?:exec|command|program|shell|editor|pager|askpass|rsh|action)[\w-]*[= ]/i;

/** Of programs that are not known: a path to git, `git COMMAND` among the arguments, an option that names git to be run. */
function checkArguments(name: string, args: readonly ShellWord[]): Refusal {
  if (TALKERS.has(name)) return undefined;
  const texts = args.map((word) => word.text ?? word.raw);
  if (texts.some(isGitProgram)) return 'git is not available here, by its path neither';
  const at = texts.findIndex((text, i) => isGit(text) && GIT_COMMANDS.has(texts[i + 1] ?? ''));
  if (at >= 0) return 'git is not available here';
  return texts.some((text) => RUNS.test(text) && /\bgit\b/.test(text)) ? 'an option would run git' : undefined;
}
