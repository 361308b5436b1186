import { readCargoTest } from './cargo-test.ts';
import { readGoTest } from './go-test.ts';
import { readJunit } from './junit.ts';
import type { Reader, Reading } from './reading.ts';
import { readSpec } from './spec.ts';
import { readTap } from './tap.ts';

/** Each tells by itself whether a text is of its kind. */
const READERS: readonly Reader[] = [readTap, readSpec, readGoTest, readCargoTest, readJunit];

/** Reads what a run printed by the first reader that knows it; undefined where none does. */
export function readOutput(text: string): Reading | undefined {
  const plain = withoutColours(text);
  for (const reader of READERS) {
    const reading = reader(plain);
    if (reading !== undefined) return reading;
  }
  return undefined;
}

/** Takes out the escape sequences by which terminals colour and move. */
export function withoutColours(text: string): string {
  return text.replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))/g, '');
}
