import type { FindingKey } from '../../domain/finding.ts';
import type { KeptFinding } from './scan-record.ts';

/** Picks the findings that tell something new: a secret that an earlier one in the list has told of is none. */
export function firstFound(
  findings: readonly KeptFinding[],
  earlier: readonly KeptFinding[] = [],
): readonly KeptFinding[] {
  const told = new Set(earlier.flatMap(marksOf));
  return findings.filter((finding) => {
    const fresh = marksOf(finding).filter((mark) => !told.has(mark));
    for (const mark of fresh) told.add(mark);
    return fresh.length > 0;
  });
}

/** Picks the findings that nobody allowed: neither the file with its kind of secret, nor each secret in another file. */
export function openFindings(findings: readonly KeptFinding[], allowed: readonly FindingKey[]): readonly KeptFinding[] {
  const keys = new Set(allowed.map(keyOf));
  const let_by = findings.filter((finding) => keys.has(keyOf(finding)));
  const marks = new Set(let_by.flatMap(marksOf));
  return findings.filter((finding) => !keys.has(keyOf(finding)) && !marksOf(finding).every((mark) => marks.has(mark)));
}

/** True where two findings tell of the same secret. */
export function sharesSecret(a: KeptFinding, b: KeptFinding): boolean {
  const marks = new Set(marksOf(a));
  return marksOf(b).some((mark) => marks.has(mark));
}

export const keyOf = ({ blob, rule }: FindingKey): string => `${blob} ${rule}`;

/** What tells the secrets of a finding from others. */
function marksOf(finding: KeptFinding): readonly string[] {
  const { rule, secrets } = finding;
  return secrets.length === 0 ? [keyOf(finding)] : secrets.map((secret) => `${rule} ${secret}`);
}
