import { join } from 'node:path';
import { z } from 'zod';
import { fromPathText, pathText } from '../../domain/byte-path.ts';
import { type Finding, NOT_SCANNED_REASONS, type NotScanned } from '../../domain/finding.ts';
import { type Oid, parseOid } from '../../domain/ids.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { type AppendLog, openAppendLog } from '../../io/append-log.ts';
import type { LogRecord } from '../../io/log-line.ts';
import type { OpenVault } from '../open-vault.ts';
import { readLines } from '../read-lines.ts';

/** A finding as it is kept. */
export interface KeptFinding extends Finding {
  /** Beginnings of the secrets' sha256; empty where they are too many: then only the file as it is can be allowed. */
  readonly secrets: readonly string[];
}

/** What was found in one commit. */
export interface CommitScan {
  readonly commit: Oid;
  readonly findings: readonly KeptFinding[];
  readonly not_scanned: readonly NotScanned[];
}

/** What was found in one file that had been left. */
export interface LateScan {
  readonly blob: Oid;
  readonly commit: Oid;
  readonly findings: readonly KeptFinding[];
}

/** Grows with the rules: what older ones have looked at is looked at again. */
const RULES = 1;

const oid = z.string().transform((text) => parseOid(text));
const place = { commit: oid, blob: oid, path: z.string(), path_b64: z.string().optional() };
const lineSchema = z.union([
  z.object({ ...place, rule: z.string(), line: z.int(), secrets: z.array(z.string()) }),
  z.object({ ...place, reason: z.enum(NOT_SCANNED_REASONS) }),
  z.object({ scanned: oid, rules: z.int() }),
  z.object({ scanned_late: oid }),
]);

/** What is known about secrets in a project's commits (scans.ndjson). A commit that was scanned has no ancestor that was not. */
export class ScanRecord {
  readonly #path: string;
  /** Opened when something is to be written. */
  #log: AppendLog | undefined;
  readonly #scanned = new Set<Oid>();
  readonly #findings = new Map<string, KeptFinding>();
  readonly #notScanned = new Map<string, NotScanned>();

  /** @param path of the file, which may be absent; its folder must exist */
  constructor(path: string) {
    this.#path = path;
    for (const line of readLines(path)) if (line !== undefined) this.#replay(line);
  }

  isScanned(commit: Oid): boolean {
    return this.#scanned.has(commit);
  }

  /** Oldest first. */
  get findings(): readonly KeptFinding[] {
    return [...this.#findings.values()];
  }

  get notScanned(): readonly NotScanned[] {
    return [...this.#notScanned.values()];
  }

  /** Keeps a scan. It is not synced: what is lost is scanned again. */
  add({ commit, findings, not_scanned }: CommitScan): void {
    const left = not_scanned.map(({ path, ...rest }) => ({ ...rest, ...pathText(path) }));
    this.#append([...findings.map(lineOf), ...left, { scanned: commit, rules: RULES }]);
  }

  /** Keeps the scan of a file that is no longer among those not scanned. */
  addLate({ blob, findings }: LateScan): void {
    this.#append([...findings.map(lineOf), { scanned_late: blob }]);
  }

  #append(lines: readonly LogRecord[]): void {
    this.#log ??= openAppendLog(this.#path).log;
    this.#log.append(lines);
    for (const line of lines) this.#replay(line);
  }

  #replay(record: LogRecord): void {
    const line = lineSchema.parse(record);
    if ('scanned_late' in line) {
      this.#notScanned.delete(line.scanned_late);
    } else if ('scanned' in line) {
      if (line.rules === RULES) this.#scanned.add(line.scanned);
    } else {
      const { path, path_b64, ...rest } = line;
      const at = fromPathText(withoutUndefined({ path, path_b64 }));
      if ('rule' in rest) this.#findings.set(`${rest.commit} ${rest.blob} ${rest.rule}`, { ...rest, path: at });
      else this.#notScanned.set(rest.blob, { ...rest, path: at });
    }
  }
}

const lineOf = ({ path, ...finding }: KeptFinding): LogRecord => ({ ...finding, ...pathText(path) });

/** The record of a project, read once. */
export function scansOf(vault: OpenVault): ScanRecord {
  const before = known.get(vault.refs);
  if (before !== undefined) return before;
  const record = new ScanRecord(join(vault.state, 'scans.ndjson'));
  known.set(vault.refs, record);
  return record;
}

const known = new WeakMap<OpenVault['refs'], ScanRecord>();
