import type { Oid } from '../domain/ids.ts';

/** One ref of a transaction: `ZERO_OID` stands for absent. */
export interface RefMove {
  readonly ref: string;
  readonly old: Oid;
  readonly new: Oid;
}

/** The server's own record of the project's refs (refs.json), by full name. */
export interface RefsRecord {
  get(ref: string): Oid | undefined;
  all(): ReadonlyMap<string, Oid>;
}

export function readRefsRecord(_state: string): RefsRecord {
  const refs = new Map<string, Oid>();
  return { get: (ref) => refs.get(ref), all: () => refs };
}
