import { relative } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { gzipSync } from 'node:zlib';
import { ndjsonText } from '../io/ndjson-text.ts';
import { writeBelow } from '../io/safe-path.ts';
import type { TraceEntry } from './run-case.ts';

export interface IntegrationLog {
  /** Takes what a service or a command printed; lines of different ones are told apart by their names. */
  readonly output: (name: string, chunk: Uint8Array) => void;
  readonly exchange: (testCase: string, entry: TraceEntry) => void;
  /** Writes process.log and the trace; paths are absolute and below the root. */
  write(root: string, paths: { readonly process_log: string; readonly trace_file: string }): Promise<void>;
}

/** Keeps what programs printed, a line with its program's name before it, and each HTTP request with its answer. */
export function integrationLog(): IntegrationLog {
  const lines: string[] = [];
  const pending = new Map<string, { readonly decoder: StringDecoder; text: string }>();
  const trace: object[] = [];
  const rest = (): readonly string[] =>
    [...pending].filter(([, { text }]) => text !== '').map(([name, { text }]) => `${name} | ${text}`);
  return {
    output(name, chunk) {
      const open = pending.get(name) ?? { decoder: new StringDecoder('utf8'), text: '' };
      const whole = `${open.text}${open.decoder.write(Buffer.from(chunk))}`.split('\n');
      open.text = whole.pop() ?? '';
      pending.set(name, open);
      for (const line of whole) lines.push(`${name} | ${line}`);
    },
    exchange: (testCase, entry) => void trace.push({ case: testCase, ...entry }),
    async write(root, { process_log, trace_file }) {
      writeBelow(root, relative(root, process_log), asLines([...lines, ...rest()]));
      writeBelow(root, relative(root, trace_file), gzipSync(await ndjsonText(trace)));
    },
  };
}

const asLines = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
