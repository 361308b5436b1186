import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../io/clock.ts';
import { writeFully } from '../io/write-atomic.ts';
import { redactJson } from './redact.ts';
import { visibleText } from './visible-text.ts';

/** What happened in a call, one JSON object a line: `{ts, kind, …}`, secrets taken out, control signs escaped. */
export interface Transcript {
  note(entry: Readonly<Record<string, unknown>> & { readonly kind: string }): void;
  close(): void;
}

const MOST_BYTES = 64_000_000;

/**
 * Opens `transcript.ndjson` in a call's folder. The descriptor is held until the end, so that nobody can lead later lines
 * elsewhere. Lines over 64 MB in all are left out, and a last line says so.
 */
export function openTranscript(
  folder: string,
  { clock, secrets }: { readonly clock: Clock; readonly secrets: readonly string[] },
): Transcript {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const fd = openSync(join(folder, 'transcript.ndjson'), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  let left = MOST_BYTES;
  const write = (entry: object) => {
    const line = visibleText(JSON.stringify({ ts: clock.now().toISOString(), ...entry }));
    const bytes = Buffer.from(`${line}\n`);
    left -= bytes.length;
    writeFully(fd, bytes);
  };
  return {
    note: (entry) => {
      if (left <= 0) return;
      write(redactJson(entry, secrets) as object);
      if (left <= 0) write({ kind: 'cut', text: `the transcript ends at ${MOST_BYTES} bytes` });
    },
    close: () => closeSync(fd),
  };
}
