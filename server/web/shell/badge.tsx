import { tOf } from '../i18n/t.ts';

/** What a state means for a person, whatever thing it is a state of. */
const TONES: Readonly<Record<string, string>> = {
  running: 'busy',
  coding: 'busy',
  testing: 'busy',
  open: 'busy',
  waiting_approval: 'wait',
  paused: 'wait',
  interrupted: 'wait',
  unfinished: 'wait',
  blocked: 'bad',
  red: 'bad',
  failed: 'bad',
  fail: 'bad',
  tampered: 'bad',
  timeout: 'bad',
  crashed: 'bad',
  no_tests: 'bad',
  environment: 'bad',
  green: 'good',
  pass: 'good',
  done: 'good',
  shipped: 'good',
  'shipped-final': 'good',
};

export const toneOf = (state: string): string => TONES[state] ?? 'calm';

/** A state in words, with its tone as colour beside them. */
export const Badge = ({ state }: { readonly state: string }) => (
  <span class={`badge tone-${toneOf(state)}`} data-state={state}>
    {tOf('status', state)}
  </span>
);
