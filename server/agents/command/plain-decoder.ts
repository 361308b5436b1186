import type { Decoder } from './decoder.ts';

const MOST_KEPT = 2_000_000;

/** Any program: all that it prints is its answer (of very much the end), and its exit status says whether it worked. */
export function plainDecoder(): Decoder {
  let printed = '';
  return {
    says_when_done: false,
    message: () => printed,
    line: (line) => {
      printed = `${printed}${line}\n`.slice(-MOST_KEPT);
      return [{ kind: 'said', text: `${line}\n` }];
    },
  };
}
