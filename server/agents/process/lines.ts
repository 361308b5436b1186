import { StringDecoder } from 'node:string_decoder';

/** Puts lines together from chunks that end anywhere, also within a character. A line over the limit is given as its beginning. */
export interface LineReader {
  push(chunk: Uint8Array): void;
  /** The last line may lack its newline. */
  end(): void;
}

const LONGEST_LINE = 8_000_000;

export function readLines(onLine: (line: string) => void): LineReader {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  const take = (text: string) => {
    const pieces = text.split('\n');
    for (const [i, piece] of pieces.entries()) {
      if (length < LONGEST_LINE) parts.push(piece);
      length += piece.length;
      if (i === pieces.length - 1) break;
      flush();
    }
  };
  const flush = () => {
    const line = parts.join('').slice(0, LONGEST_LINE);
    [parts, length] = [[], 0];
    onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
  };
  return {
    push: (chunk) => take(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))),
    end: () => {
      take(decoder.end());
      if (length > 0) flush();
    },
  };
}
