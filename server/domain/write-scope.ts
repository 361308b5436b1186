import type { BytePath } from './byte-path.ts';
import type { CallId, RunId, UnitId } from './ids.ts';
import type { Role } from './roles.ts';

/**
 * Path patterns below a project's root that a call or a commit may touch. A segment `*` stands for one name, a last
 * segment `**` for everything below; nothing else is special, and names are compared as bytes.
 */
export type WriteScope = readonly string[];

/** The append-only ledgers at a project's root. */
export const LEDGER_FILES: WriteScope = ['timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson'];

/** True where a path lies in the scope. */
export function inScope(path: BytePath, scope: WriteScope): boolean {
  const segments = path.split('/');
  return scope.some((pattern) => matches(segments, pattern.split('/')));
}

/** True where something below a folder can lie in the scope: a walk may skip the folder otherwise. */
export function mayHoldScope(folder: BytePath, scope: WriteScope): boolean {
  if (folder === '') return scope.length > 0;
  const segments = folder.split('/');
  return scope.some((pattern) => {
    const parts = pattern.split('/');
    if (matches(segments, parts)) return true;
    return parts.length > segments.length && segments.every((name, i) => parts[i] === '**' || accepts(parts[i], name));
  });
}

/** What a role may write in one call. */
export function roleScope(
  role: Role,
  at: { readonly call: CallId; readonly unit?: UnitId; readonly run?: RunId },
): WriteScope {
  return [...roleFiles(role, at), `agent-state/calls/${at.call}/out/**`];
}

/** The project's files among them. */
export function roleFiles(role: Role, at: { readonly unit?: UnitId; readonly run?: RunId }): WriteScope {
  switch (role) {
    case 'pm':
      return ['prd/**'];
    case 'architect':
      return ['sdd/**', 'units.json', 'integration/spec.json', 'units/*/contract.json'];
    case 'coder':
      return at.unit === undefined ? [] : [`units/${at.unit}/code/**`];
    case 'tester':
      return at.unit === undefined ? [] : [`units/${at.unit}/tests/**`];
    case 'integrator':
      return [];
    case 'bug-triager':
      return at.run === undefined ? [] : [`integration/runs/${at.run}/triage.json`];
  }
}

function matches(segments: readonly string[], parts: readonly string[]): boolean {
  if (parts.at(-1) === '**') {
    const head = parts.slice(0, -1);
    return segments.length > head.length && head.every((part, i) => accepts(part, segments[i]));
  }
  return segments.length === parts.length && parts.every((part, i) => accepts(part, segments[i]));
}

const accepts = (part: string | undefined, name: string | undefined): boolean => part === '*' || part === name;
