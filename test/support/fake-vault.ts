import { createHash } from 'node:crypto';
import { type BytePath, bytePathFromText } from '../../server/domain/byte-path.ts';
import type { Attempt, CommitOutcome, CommitSpec, FileChange } from '../../server/domain/commit.ts';
import { DevLoopError } from '../../server/domain/errors.ts';
import { type Oid, parseOid, parseRescueId } from '../../server/domain/ids.ts';
import { inScope, LEDGER_FILES, type WriteScope } from '../../server/domain/write-scope.ts';
import type { AttemptSpec, VaultPort } from '../../server/loop/ports.ts';

export type Files = ReadonlyMap<string, string>;

export interface FakeCommit {
  readonly sha: Oid;
  readonly spec: CommitSpec;
  readonly files: Files;
  readonly tag: string | undefined;
}

const IGNORED: WriteScope = ['agent-state/**', 'stream.log'];

/** A project's files and repository in memory; it outlives the servers that work on it. */
export class FakeRepository {
  readonly disk = new Map<string, string>();
  readonly commits: FakeCommit[] = [];
  readonly kept: (Attempt & { readonly files: Files })[] = [];
  readonly rescues: Files[] = [];
  /** What an agent did to `.git` since the last seal. */
  tampering: string[] = [];
  /** Codes that the next commits fail with. */
  failures: ConstructorParameters<typeof DevLoopError>[0][] = [];

  get head(): FakeCommit {
    const head = this.commits.at(-1);
    if (head === undefined) throw new DevLoopError('vault_damaged', 'no commit');
    return head;
  }

  get subjects(): readonly string[] {
    return this.commits.map(({ spec }) => spec.subject);
  }

  commit(spec: CommitSpec): FakeCommit {
    const same = this.commits.find((commit) => commit.spec.key === spec.key);
    if (same !== undefined) return same;
    const failure = this.failures.shift();
    if (failure !== undefined) throw new DevLoopError(failure, 'the disk is full');
    const others = [...(this.commits.at(-1)?.files ?? [])].filter(([path]) => !matches(path, spec.files));
    const files = new Map([...others, ...this.tracked().filter(([path]) => matches(path, spec.files))]);
    const tag = spec.tag === undefined ? undefined : this.#freeTag(spec.tag.name);
    const commit = { sha: digest(`${this.commits.length} ${spec.subject}`, files), spec, files, tag };
    this.commits.push(commit);
    return commit;
  }

  tracked(): readonly (readonly [string, string])[] {
    return [...this.disk].filter(([path]) => !matches(path, IGNORED));
  }

  at(rev: string): Files {
    if (rev === 'HEAD') return this.head.files;
    const attempt = this.kept.find(({ ref }) => ref === `refs/devloop/${rev}`);
    const files = attempt?.files ?? this.commits.find(({ sha }) => sha === rev)?.files;
    if (files === undefined) throw new DevLoopError('ref_not_found', `no revision ${rev}`);
    return files;
  }

  /** Makes the files in scope those of another tree. */
  put(files: Files, scope: WriteScope): void {
    for (const path of [...this.disk.keys()]) if (matches(path, scope) && !files.has(path)) this.disk.delete(path);
    for (const [path, content] of files) if (matches(path, scope)) this.disk.set(path, content);
  }

  changes(from: Files): readonly FileChange[] {
    const now = new Map(this.tracked());
    const paths = [...new Set([...from.keys(), ...now.keys()])].sort();
    return paths
      .filter((path) => from.get(path) !== now.get(path))
      .map((path) => ({ path: bytePathFromText(path), change: changeOf(from.has(path), now.has(path)) }));
  }

  dirty(): readonly FileChange[] {
    return this.changes(this.head.files).filter(({ path }) => !LEDGER_FILES.includes(path));
  }

  #freeTag(name: string): string {
    const taken = new Set(this.commits.map(({ tag }) => tag));
    for (let i = 1; ; i++) {
      const free = i === 1 ? name : `${name}.${i}`;
      if (!taken.has(free)) return free;
    }
  }
}

/** The vault of one server's life over such a repository. */
export function fakeVault(repository: () => FakeRepository, op: (name: string) => Promise<void>): VaultPort {
  let baseline: Map<string, string> | undefined;
  const now = () => new Map(repository().tracked());
  const held = () => {
    if (baseline === undefined) throw new DevLoopError('internal', 'no baseline is held');
    return baseline;
  };
  const advance = (files: WriteScope) => {
    const at = held();
    for (const path of [...at.keys()]) if (matches(path, files)) at.delete(path);
    for (const [path, content] of now()) if (matches(path, files)) at.set(path, content);
  };
  const on =
    <Args extends readonly unknown[], T>(name: string, work: (repo: FakeRepository, ...args: Args) => T) =>
    async (_pid: unknown, ...args: Args): Promise<T> => {
      await op(`vault.${name}`);
      return work(repository(), ...args);
    };
  return {
    init: on('init', (repo, spec: CommitSpec) => ({ head: repo.commit(spec).sha })),
    head: on('head', (repo) => repo.head.sha),
    commit: on('commit', (repo, spec: CommitSpec): CommitOutcome => {
      const repeated = repo.commits.some((commit) => commit.spec.key === spec.key);
      if (!repeated && spec.onEmpty === 'skip' && repo.dirty().length === 0) return { kind: 'nothing', left_out: [] };
      const { sha, tag } = repo.commit(spec);
      return { kind: 'committed', sha, repeated, left_out: [], nested: [], ...(tag !== undefined && { tag }) };
    }),
    committed: on('committed', (repo, key: string) => repo.commits.find(({ spec }) => spec.key === key)?.sha),
    saveAttempt: on('saveAttempt', (repo, spec: AttemptSpec): Attempt => keep(repo, spec)),
    attempts: on('attempts', (repo) => repo.kept),
    treeIds: on('treeIds', (repo, folders: readonly BytePath[]) =>
      folders.map((folder) =>
        digest('tree', new Map(repo.tracked().filter(([path]) => path.startsWith(`${folder}/`)))),
      ),
    ),
    restoreFiles: on('restoreFiles', (repo, { rev, files }: { readonly rev: string; readonly files: WriteScope }) => {
      repo.put(repo.at(rev), files);
      return {};
    }),
    status: on('status', (repo) => {
      const files = repo.dirty();
      return { dirty: files.length > 0, files, snapshot: digest('status', withoutLedgers(now())) };
    }),
    resetWorkingTree: on('resetWorkingTree', (repo) => {
      repo.rescues.push(now());
      repo.put(repo.head.files, [...withoutLedgers(new Map([...now(), ...repo.head.files])).keys()]);
      return { rescue: parseRescueId(`rescue-${repo.rescues.length}`) };
    }),
    takeBaseline: on('takeBaseline', () => {
      baseline ??= now();
    }),
    changesSinceBaseline: on('changesSinceBaseline', (repo) => repo.changes(held())),
    advanceBaseline: on('advanceBaseline', (_repo, files: WriteScope) => advance(files)),
    dropBaseline: on('dropBaseline', () => {
      baseline = undefined;
    }),
    putBack: on('putBack', (repo, paths: readonly BytePath[]) => {
      repo.rescues.push(now());
      repo.put(held(), paths);
      return {};
    }),
    seal: on('seal', (repo) => {
      repo.tampering = [];
    }),
    checkSeal: on('checkSeal', (repo) => repo.tampering.splice(0)),
    inspect: on('inspect', (repo) => ({ head: repo.head.sha, repaired: [], problems: [] })),
  };
}

function keep(repo: FakeRepository, { unit, round, attempt, verdict, files, run }: AttemptSpec): Attempt {
  const ref = `refs/devloop/attempts/${unit}/${round}/${attempt}`;
  const same = repo.kept.find((one) => one.ref === ref);
  if (same !== undefined) return same;
  const tree = new Map(repo.tracked().filter(([path]) => matches(path, files)));
  const about = { unit, round, attempt, verdict, ref, sha: digest(ref, tree), parent: repo.head.sha };
  repo.kept.push({ ...about, files: tree, ...(run !== undefined && { run }) });
  return about;
}

function withoutLedgers(files: Files): Files {
  return new Map([...files].filter(([path]) => !LEDGER_FILES.includes(path)));
}

const matches = (path: string, scope: WriteScope): boolean =>
  scope.includes('**') || inScope(bytePathFromText(path), scope);

const changeOf = (before: boolean, after: boolean): FileChange['change'] =>
  before && after ? 'modified' : after ? 'added' : 'deleted';

function digest(seed: string, files: Files): Oid {
  const hash = createHash('sha1').update(seed);
  for (const [path, content] of [...files].sort()) hash.update(`${path}\0${content}\0`);
  return parseOid(hash.digest('hex'));
}
