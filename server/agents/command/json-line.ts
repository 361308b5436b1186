import type { z } from 'zod';
import type { Decoded } from './decoder.ts';

/** Decodes a line of JSON by a schema; what is no JSON (noise) is passed on as text, what the schema does not know is left out. */
export function decodeJson<Event extends z.ZodType>(
  line: string,
  schema: Event,
  decode: (event: z.output<Event>) => readonly Decoded[],
): readonly Decoded[] {
  if (line.trim() === '') return [];
  const value = parsed(line);
  if (value === undefined) return [{ kind: 'said', text: `${line}\n` }];
  const event = schema.safeParse(value.json);
  return event.success ? decode(event.data) : [];
}

function parsed(line: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(line) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
