import type { ShellWord } from './shell-word.ts';

/**
 * The command that a wrapper such as `nice` or `env` runs: what follows its options, their values (of the options that
 * `valued` names), assignments, and the numbers and masks that some take first.
 */
export function wrappedCommand(args: readonly ShellWord[], valued: RegExp): readonly ShellWord[] {
  let at = 0;
  for (; at < args.length; at++) {
    const raw = args[at]?.raw ?? '';
    if (raw === '--') return args.slice(at + 1);
    if (valued.test(raw)) at++;
    else if (!/^-|^[A-Za-z_]\w*=|^\d[\d.]*[smhd]?$|^0x[0-9a-f]+$/.test(raw)) break;
  }
  return args.slice(at);
}

/** The value of an option, as a word of its own or behind the option's letter or `=`, which the pattern takes in. */
export function optionValue(args: readonly ShellWord[], option: RegExp): ShellWord | undefined {
  const at = args.findIndex((word) => option.test(word.raw));
  const word = args[at];
  if (word === undefined) return undefined;
  const attached = (word.text ?? word.raw).replace(option, '');
  return attached === '' ? args[at + 1] : { raw: attached, text: word.text === undefined ? undefined : attached };
}
