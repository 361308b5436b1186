import type { BytePath, PathText } from './byte-path.ts';
import type { Oid } from './ids.ts';

/** Names a finding: what a person allows. */
export interface FindingKey {
  /** The file's content. */
  readonly blob: Oid;
  /** The kind of secret. */
  readonly rule: string;
}

/** Secrets of one kind in one file, as a commit brought them. What is secret is not in it. */
export interface Finding extends FindingKey {
  readonly path: BytePath;
  /** Of the first of them, from 1. */
  readonly line: number;
  readonly commit: Oid;
}

/** A finding in an event, which says the commit for all. */
export type FindingText = FindingKey & PathText & { readonly line: number };

export const NOT_SCANNED_REASONS = ['too_large', 'out_of_time', 'failed'] as const;

/** A file that was not looked at, and why. */
export interface NotScanned {
  readonly blob: Oid;
  readonly path: BytePath;
  readonly commit: Oid;
  readonly reason: (typeof NOT_SCANNED_REASONS)[number];
}

/** What a scan of a commit says that no earlier one has said. */
export interface FoundSecrets {
  readonly commit: Oid;
  readonly findings: readonly Finding[];
  /** How many files of the commit were not looked at. */
  readonly not_scanned: number;
}
