interface Tail {
  push(chunk: Uint8Array): void;
  /** What was kept, as UTF-8; a character that the cut left incomplete at the front is dropped. */
  text(): string;
}

/** Keeps the last bytes of a stream: never more than twice the limit in memory, however much is pushed. */
export function keepTail(limit: number): Tail {
  let kept = Buffer.alloc(0);
  let chunks: Uint8Array[] = [];
  let pending = 0;
  const compact = (): void => {
    const all = Buffer.concat([kept, ...chunks]);
    kept = Buffer.from(all.subarray(Math.max(0, all.length - limit)));
    chunks = [];
    pending = 0;
  };
  let cut = false;
  return {
    push(chunk) {
      cut ||= kept.length + pending + chunk.length > limit;
      chunks.push(chunk);
      pending += chunk.length;
      if (pending >= limit) compact();
    },
    text() {
      compact();
      return (cut ? kept.subarray(firstWhole(kept)) : kept).toString('utf8');
    },
  };
}

/** Index of the first byte that does not continue a character; a character has at most three such bytes. */
function firstWhole(bytes: Uint8Array): number {
  let index = 0;
  while (index < 3 && ((bytes[index] ?? 0) & 0xc0) === 0x80) index++;
  return index;
}
