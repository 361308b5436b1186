import { DevLoopError } from '../../domain/errors.ts';
import { type Command, defineCommand } from '../command.ts';
import { COMMON_FLAGS } from '../flags.ts';

type Named = readonly (readonly [name: string, command: Command])[];

export const completion = defineCommand({
  summary: 'Print a script that completes commands and flags in a shell',
  args: { shell: { description: 'bash, zsh or fish' } },
  routes: [],
  examples: [
    { command: 'source <(devloop completion bash)', what: 'in ~/.bashrc' },
    { command: 'devloop completion fish > ~/.config/fish/completions/devloop.fish', what: 'once' },
  ],
  run: async ({ shell }, { commands }) => {
    const write = SHELLS[shell];
    if (write === undefined)
      throw new DevLoopError('bad_request', `${JSON.stringify(shell)} is none of ${Object.keys(SHELLS).join(', ')}.`);
    return {
      script: write(
        await commands(),
        COMMON_FLAGS.map(([syntax]) => syntax),
      ),
    };
  },
  print: ({ script }) => script,
});

const SHELLS: Readonly<Record<string, (commands: Named, common: readonly string[]) => string>> = {
  bash: bashScript,
  zsh: (commands, common) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands, common)}`,
  fish: fishScript,
};

function bashScript(commands: Named, common: readonly string[]): string {
  const cases = commands.map(([name, { flags }]) => `    ${name}) words="${longFlags(flags, common).join(' ')}" ;;`);
  return `_devloop() {
  local words="${commands.map(([name]) => name).join(' ')}"
  if [ "$COMP_CWORD" -gt 1 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words="" ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _devloop devloop
`;
}

function fishScript(commands: Named, common: readonly string[]): string {
  const names = commands.map(
    ([name, { summary }]) => `complete -c devloop -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
  );
  const flags = commands.flatMap(([name, command]) =>
    longFlags(command.flags, common).map(
      (flag) => `complete -c devloop -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`,
    ),
  );
  return `${[...names, ...flags].join('\n')}\n`;
}

function longFlags(flags: Command['flags'], common: readonly string[]): readonly string[] {
  return [...Object.values(flags).map(({ syntax }) => syntax), ...common].flatMap(
    (syntax) => /--[a-z-]+/.exec(syntax)?.[0] ?? [],
  );
}

const quoted = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
