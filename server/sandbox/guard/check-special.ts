import { isGit, programName, SHELLS, WRAPPERS } from './program-names.ts';
import type { ShellWord } from './shell-word.ts';
import type { Refusal, Standing } from './standing.ts';
import { optionValue, wrappedCommand } from './wrapped-command.ts';

/** Looks at programs that run what their arguments say in a way of their own; undefined where they do not. */
export function checkSpecial(name: string, args: readonly ShellWord[], standing: Standing): Refusal {
  return RULES.get(name)?.(args, standing);
}

type Rule = (args: readonly ShellWord[], standing: Standing) => Refusal;

const UNKNOWN = 'what it would run shows only when it runs';

/** The words are the text that a shell gets. */
const asScript: Rule = (args, { checkScript }) => {
  const texts = args.map((word) => word.text);
  return texts.every((text) => text !== undefined) ? checkScript(texts.join(' ')) : UNKNOWN;
};

/** One word is the text that a shell gets. */
const scriptIn = (word: ShellWord | undefined, { checkScript }: Standing): Refusal =>
  word === undefined ? undefined : word.text === undefined ? UNKNOWN : checkScript(word.text);

const scriptOption =
  (option: RegExp): Rule =>
  (args, standing) =>
    scriptIn(optionValue(args, option), standing);

const source: Rule = ([file]) => (file !== undefined && /^<\(|^\/dev\//.test(file.raw) ? UNKNOWN : undefined);

const trap: Rule = (args, standing) =>
  args.length < 2 || args[0]?.text === '-' ? undefined : scriptIn(args[0], standing);

const alias: Rule = (args, { checkScript }) => {
  for (const { raw, text } of args) {
    if (text === undefined && raw.includes('=')) return UNKNOWN;
    const value = /^[^=]+=(.*)$/s.exec(text ?? '')?.[1];
    const refusal = value === undefined ? undefined : checkScript(value);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

const hash: Rule = (args) =>
  args.some((word) => isGit(word.text ?? '')) ? 'git is not available here, by another name neither' : undefined;

/** What stands between `-exec` and its end, as often as it does. */
const find: Rule = (args, { checkProgram }) => {
  for (const [at, word] of args.entries()) {
    if (!/^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/.test(word.raw)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex(({ text }) => text === ';' || text === '+');
    const refusal = checkProgram(end < 0 ? rest : rest.slice(0, end));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

/** What each line of input stands in for must be neither the program nor part of a script. */
const xargs: Rule = (args) => {
  const mark = optionValue(args, /^(?:-I|--replace=?)/)?.text ?? '{}';
  const [program, ...rest] = wrappedCommand(args, WRAPPERS.get('xargs') ?? /^$/);
  const open = SHELLS.has(programName(program?.text ?? '')) ? [program, ...rest] : [program];
  return open.some((word) => word?.text?.includes(mark)) ? 'what it would run is told by other output' : undefined;
};

/** Commands may follow `:::`, each a script. */
const parallel: Rule = (args, { checkScript }) => {
  const at = args.findIndex((word) => word.raw.startsWith(':::'));
  if (at < 0 || args.slice(0, at).some((word) => !word.raw.startsWith('-'))) return undefined;
  return args
    .slice(at + 1)
    .map((word) => (word.text === undefined ? UNKNOWN : checkScript(word.text)))
    .find((refusal) => refusal !== undefined);
};

const watch: Rule = (args, standing) =>
  asScript(args.slice(args.findIndex((word) => !/^-|^\d/.test(word.raw))), standing);

/** `flock FILE COMMAND…`; the file may be a number. */
const flock: Rule = (args, standing) => {
  const script = scriptIn(optionValue(args, /^-c$/), standing);
  const rest = args.filter((word) => !word.raw.startsWith('-')).slice(1);
  return script ?? (rest.length > 0 ? standing.checkProgram(rest) : undefined);
};

/** `ssh HOST COMMAND…`: the other end may be this machine. */
const ssh: Rule = (args, standing) => {
  const rest = args.slice(args.findIndex((word) => !word.raw.startsWith('-')) + 1);
  return rest.length > 0 ? asScript(rest, standing) : undefined;
};

const awk: Rule = (args) =>
  args.some(({ raw }) => /\bsystem\s*\(|getline|\|\s*&?\s*"|print.*\|/.test(raw))
    ? 'awk would start a program'
    : undefined;

/** The `e` command of GNU sed, and the flag of its `s`. */
const sed: Rule = (args) =>
  args.some(({ raw }) => /(?:^['"]?|[;{}\n]|\d|\$|\/)\s*e\s+\S/.test(raw) || runsReplacement(raw))
    ? 'sed would start a program'
    : undefined;

function runsReplacement(raw: string): boolean {
  const mark = /s([^\w\s])/.exec(raw)?.[1];
  return mark !== undefined && /^[gpiImM\d]*e[gpiImM\d]*['"]?$/.test(raw.split(mark).at(-1) ?? '');
}

const editor: Rule = (args) =>
  args.some(({ raw }) => /!|system\(|\bterm/.test(raw)) ? 'the editor would start a program' : undefined;

const RULES: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['eval', asScript],
  ['source', source],
  ['.', source],
  ['alias', alias],
  ['trap', trap],
  ['hash', hash],
  ['find', find],
  ['fd', find],
  ['fdfind', find],
  ['xargs', xargs],
  ['parallel', parallel],
  ['watch', watch],
  ['flock', flock],
  ['ssh', ssh],
  ['env', scriptOption(/^(?:-[iv0]*S|--split-string=?)/)],
  ['script', scriptOption(/^(?:-[a-zA-Z]*c|--command=?)/)],
  ['su', scriptOption(/^(?:-[a-zA-Z]*c|--command=?)/)],
  ['runuser', scriptOption(/^(?:-c|--command=?)$/)],
  ['npx', scriptOption(/^(?:-c|--call=?)/)],
  ['npm', scriptOption(/^(?:-c|--call=?)/)],
  ...['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awk] as const),
  ...['sed', 'gsed'].map((name) => [name, sed] as const),
  ...['vi', 'vim', 'nvim', 'ex', 'ed', 'emacs', 'less', 'more', 'man'].map((name) => [name, editor] as const),
]);
