import type { NotScanned } from '../../domain/finding.ts';
import type { Oid } from '../../domain/ids.ts';
import type { OpenVault } from '../open-vault.ts';
import type { ChangedFile } from './changed-files.ts';
import type { ContentFinding } from './scan-content.ts';
import type { SecretScanner } from './secret-scanner.ts';

export interface ScannedFile<File> {
  readonly file: File;
  readonly outcome:
    | { readonly kind: 'scanned'; readonly findings: readonly ContentFinding[] }
    | { readonly kind: NotScanned['reason'] };
}

/** Larger files are not looked at; bytes. */
const MAX_BYTES = 1024 * 1024;
/** So many are read and looked at in one go, and so many bytes of them. */
const MOST_FILES = 500;
const MOST_BYTES = 4 * MAX_BYTES;

/** Looks for secrets in files, in their order, until the time is over. */
export async function* scanFiles<File extends ChangedFile>(
  { reader }: OpenVault,
  files: AsyncIterable<File> | Iterable<File>,
  { scanner, most_ms }: { readonly scanner: SecretScanner; readonly most_ms: number },
): AsyncGenerator<ScannedFile<File>> {
  let left_ms = most_ms;
  const read = async (file: File): Promise<Read<File>> => ({ file, content: (await reader.read(file.blob)).content });
  const scan = async (batch: readonly Read<File>[]): Promise<readonly ScannedFile<File>[]> => {
    if (left_ms <= 0) return batch.map(({ file }) => ({ file, outcome: { kind: 'out_of_time' } }));
    const scanned = await scanner.scan(
      batch.map(({ content }) => content),
      left_ms,
    );
    left_ms -= scanned.ms;
    if (scanned.kind === 'scanned')
      return batch.map(({ file }, i) => ({ file, outcome: outcomeOf(scanned.findings[i]) }));
    const { kind } = scanned;
    // One of them is at fault, which must not hide the others.
    if (batch.length > 1)
      return [...(await scan(batch.slice(0, batch.length / 2))), ...(await scan(batch.slice(batch.length / 2)))];
    return batch.map(({ file }) => ({ file, outcome: { kind } }));
  };
  for await (const group of groupsOf(files)) {
    if (left_ms <= 0) {
      yield* group.map((file) => ({ file, outcome: { kind: 'out_of_time' } as const }));
      continue;
    }
    const sizes = await Promise.all(group.map(async ({ blob }) => (await reader.stat(blob))?.size ?? 0));
    yield* group
      .filter((_, i) => (sizes[i] ?? 0) > MAX_BYTES)
      .map((file) => ({ file, outcome: { kind: 'too_large' } as const }));
    for (const batch of batchesOf(group, sizes)) yield* await scan(await Promise.all(batch.map(read)));
  }
}

interface Read<File> {
  readonly file: File;
  readonly content: Uint8Array;
}

function outcomeOf(findings: readonly ContentFinding[] | undefined): ScannedFile<never>['outcome'] {
  return findings === undefined ? { kind: 'out_of_time' } : { kind: 'scanned', findings };
}

async function* groupsOf<File extends ChangedFile>(
  files: AsyncIterable<File> | Iterable<File>,
): AsyncGenerator<readonly File[]> {
  const seen = new Set<Oid>();
  let group: File[] = [];
  for await (const file of files) {
    if (seen.has(file.blob)) continue;
    seen.add(file.blob);
    group.push(file);
    if (group.length < MOST_FILES) continue;
    yield group;
    group = [];
  }
  yield group;
}

function* batchesOf<File>(group: readonly File[], sizes: readonly number[]): Generator<readonly File[]> {
  let [batch, bytes]: [File[], number] = [[], 0];
  for (const [i, file] of group.entries()) {
    const size = sizes[i] ?? 0;
    if (size > MAX_BYTES) continue;
    if (bytes + size > MOST_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
