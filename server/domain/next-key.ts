import { type CallId, parseCallId } from './ids.ts';

/** The id of the next call or write, from the state's counter: `c7-coder-store`, at most 63 characters. */
export function nextKey(state: { readonly counter: number }, ...words: readonly string[]): CallId {
  return parseCallId([`c${state.counter}`, ...words].join('-').slice(0, 63));
}
