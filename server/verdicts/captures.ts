/** Values that earlier steps of a case captured, by name. */
export type Captures = ReadonlyMap<string, unknown>;

const PLACE = /\{\{([^{}]+)\}\}/g;

/** A step whose text names something that no earlier step captured. */
export class NotCaptured extends Error {
  constructor(name: string) {
    super(`nothing was captured as ${JSON.stringify(name)}`);
  }
}

/**
 * Puts captured values into a template of any JSON shape. A string that is one `{{name}}` and nothing else becomes the
 * value itself, whatever its type. Throws NotCaptured.
 */
export function fill(template: unknown, captures: Captures): unknown {
  if (typeof template === 'string') return fillString(template, captures);
  if (Array.isArray(template)) return template.map((item) => fill(item, captures));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value, captures)]));
}

/** Puts captured values into text, each changed by `encode` first. Throws NotCaptured. */
export function fillText(template: string, captures: Captures, encode: (value: string) => string = String): string {
  return template.replace(PLACE, (_, name: string) => encode(asText(captured(name, captures))));
}

function fillString(template: string, captures: Captures): unknown {
  const whole = /^\{\{([^{}]+)\}\}$/.exec(template)?.[1];
  return whole === undefined ? fillText(template, captures) : captured(whole, captures);
}

function captured(name: string, captures: Captures): unknown {
  const key = name.trim();
  if (!captures.has(key)) throw new NotCaptured(key);
  return captures.get(key);
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
