import type { AgentContext, RoleInput } from '../../domain/agent-call.ts';
import { redact } from '../redact.ts';

/** Translates between what one call says and what every run of it says. */
export interface CallWords {
  /** Without the root, ids, times, durations, ports, stack lines and secrets. */
  neutral(text: string): string;
  /** As a recording keeps a decision: ids as `{{devloop:…}}`, secrets taken out, all else to the letter. */
  kept(text: string): string;
  /** The inverse of `kept`. */
  spoken(text: string): string;
}

const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g;
const DURATION = /\b\d+(?:\.\d+)? ?ms\b/g;
const PORT = /(\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{2,5}\b/g;
const STACK_LINE = /^\s+at .*\n?/gm;

/** @param secrets values that are secret whatever they look like; a replay has none. */
export function callWords(context: AgentContext, input: RoleInput, secrets: readonly string[] = []): CallWords {
  const ids = namesOf(context, input);
  const kept = (text: string) =>
    redact(
      ids.reduce((all, { token, value }) => all.replaceAll(value, token), text),
      secrets,
    );
  return {
    kept,
    spoken: (text) => ids.reduce((all, { token, value }) => all.replaceAll(token, value), text),
    neutral: (text) =>
      kept(text.replaceAll(context.root, '.'))
        .replace(STACK_LINE, '')
        .replace(TIME, '<time>')
        .replace(DURATION, '<duration>')
        .replace(PORT, '$1:<port>'),
  };
}

/** Longer values first, since one id may be a part of another. */
function namesOf(
  context: AgentContext,
  input: RoleInput,
): readonly { readonly token: string; readonly value: string }[] {
  const names = [
    { token: '{{devloop:pid}}', value: context.pid as string },
    { token: '{{devloop:call}}', value: context.call as string },
    ...('run' in input ? [{ token: '{{devloop:run}}', value: input.run as string }] : []),
  ];
  return names.toSorted((a, b) => b.value.length - a.value.length);
}
