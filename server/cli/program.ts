import { Option, Command as Program } from 'commander';
import type { Command, GivenArg } from './command.ts';
import { COMMON_FLAGS, type Flags } from './flags.ts';
import { COMMANDS } from './registry.ts';

/** What was called. */
export interface Call {
  readonly command: Command;
  readonly name: string;
  readonly args: readonly GivenArg[];
  readonly flags: Readonly<Record<string, unknown>>;
}

export interface ProgramOptions {
  readonly version: string;
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly onCall: (call: Call) => Promise<void>;
}

/** Makes the program for one call: the command that is called is loaded, or all of them for the help. */
export async function createProgram(called: string | undefined, options: ProgramOptions): Promise<Program> {
  const program = new Program('devloop')
    .description('Runs a team of coding agents on a project and versions everything they do in git.')
    .version(options.version, '-V, --version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: options.out, writeErr: options.err })
    .showHelpAfterError('(devloop --help lists the commands)');
  const all = called === undefined || !Object.hasOwn(COMMANDS, called);
  for (const [name, load] of Object.entries(COMMANDS)) {
    if (all || name === called) addCommand(program, name, await load(), options);
    else program.command(name);
  }
  return program;
}

function addCommand(program: Program, name: string, command: Command, { onCall }: ProgramOptions): void {
  const added = program.command(name).description(command.summary);
  for (const [arg, { description, optional, rest }] of Object.entries(command.args)) {
    const shown = rest ? `${arg}...` : arg;
    added.argument(optional ? `[${shown}]` : `<${shown}>`, description);
  }
  for (const flag of Object.values(command.flags)) added.addOption(optionOf(flag));
  for (const [syntax, description] of COMMON_FLAGS) added.option(syntax, description);
  added.addHelpText('after', examplesText(command));
  added.action(async (...given: unknown[]) => {
    const args = given
      .slice(0, Object.keys(command.args).length)
      .map((arg) => (arg === undefined ? undefined : Array.isArray(arg) ? arg.map(String) : String(arg)));
    await onCall({ command, name, args, flags: namedFlags(added.opts(), command.flags) });
  });
}

function optionOf({ syntax, description, choices, repeats }: Flags[string]): Option {
  const option = new Option(syntax, description);
  if (choices !== undefined) option.choices(choices);
  if (repeats) option.argParser((value: string, before: readonly string[] = []) => [...before, value]);
  return option;
}

/** commander names a flag after its long form; the command knows it by its own name. */
function namedFlags(given: Readonly<Record<string, unknown>>, flags: Flags): Readonly<Record<string, unknown>> {
  const own = Object.entries(flags).map(([name, { syntax }]) => [name, given[new Option(syntax).attributeName()]]);
  return { ...given, ...Object.fromEntries(own) };
}

function examplesText({ examples }: Command): string {
  if (examples.length === 0) return '';
  return `\nExamples:\n${examples.map(({ command, what }) => `  $ ${command}\n      ${what}\n`).join('')}`;
}
