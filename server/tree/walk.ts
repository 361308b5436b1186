import { type BytePath, joinPath } from '../domain/byte-path.ts';
import type { LeftOutReason } from '../domain/commit.ts';
import { EMPTY_FOLDER, entryNamed } from '../domain/file-tree.ts';
import {
  type DiskFile,
  type DiskFolder,
  isSettled,
  LASTING,
  type LeftName,
  type LeftPath,
  sameStamp,
} from './disk-tree.ts';
import {
  type FolderListing,
  type Found,
  listFolder,
  rootUnreadable,
  statEntry,
  unchangedFiles,
} from './folder-listing.ts';
import { foldersWithLeft } from './folders-with-left.ts';
import { IGNORE_FILE, type IgnoreFile } from './ignore-files.ts';
import { decidingRule } from './ignore-stack.ts';
import { isReservedLink, isReservedName } from './reserved-names.ts';
import { holds, narrowed, reaches } from './scope-coverage.ts';
import { asItWas, type Place } from './walk-place.ts';
import type { Walked, WalkRequest } from './walk-request.ts';

/** Names that belong to a write-back under way. */
export const STAGE_PREFIX = '.devloop-restore-';

/**
 * Looks at a folder on the disk: names, kinds, sizes, times. No content is read and no link is followed. Yields
 * between folders, so that the caller can let others run.
 */
export function* walk(request: WalkRequest): Generator<undefined, Walked> {
  return yield* new Walk(request).run();
}

interface Verdict {
  readonly reason: LeftOutReason;
  /** Stays out although it is tracked. */
  readonly isFinal: boolean;
}

/** In place of a version, as no version is: some of what is below was looked at by other rules than the rest. */
const MIXED = '?';

type Draft = { entries: (DiskFile | DiskFolder)[]; left: LeftName[]; exceptions: boolean };

class Walk {
  readonly #request: WalkRequest;
  readonly #leftOut: LeftPath[] = [];
  readonly #nested: BytePath[] = [];

  constructor(request: WalkRequest) {
    this.#request = request;
  }

  *run(): Generator<undefined, Walked> {
    const { root, previous, tracked, scope } = this.#request;
    const suspects = this.#request.watch?.suspects;
    const path = '' as BytePath;
    const top: Place = { path, previous, tracked, scope, stack: undefined, ignored: false, sameRules: true, suspects };
    const disk = yield* this.#folder(top, '');
    if (typeof disk === 'string') throw rootUnreadable(root, disk);
    return { disk, leftOut: this.#leftOut, nested: this.#nested };
  }

  *#folder(place: Place, name: string): Generator<undefined, DiskFolder | LeftOutReason> {
    const known = asItWas(place);
    if (known !== undefined) {
      for (const { path, left } of foldersWithLeft(place.path, known)) this.#report({ ...place, path }, left);
      return known;
    }
    yield;
    this.#request.watch?.enter(place.path);
    const first = listFolder(this.#request.root, place.path, this.#knownNames(place));
    if (typeof first === 'string') return first;
    const own = this.#ignoreFile(place, first);
    const version = own?.version ?? '';
    const sameRules = place.sameRules && version === (place.previous?.rules ?? '');
    const stack = own ? { folder: place.path, list: own.list, outer: place.stack } : place.stack;
    const suspects = place.suspects?.isUnknown(place.path) ? undefined : place.suspects;
    const inner = { ...place, stack, sameRules, suspects, scope: narrowed(place.path, place.scope) };
    // Known names with other rules: what was left out before may be in now, so the names are needed after all.
    const listing = first.unchanged && !sameRules ? listFolder(this.#request.root, place.path, undefined) : first;
    if (typeof listing === 'string') return listing;
    const draft = listing.unchanged ? yield* this.#again(inner) : yield* this.#fresh(inner, listing);
    return this.#finish(inner, name, { listing, draft, version });
  }

  #ignoreFile(place: Place, { unchanged, names }: FolderListing): IgnoreFile | undefined {
    if (place.ignored || !this.#request.rules.ignoreFiles) return undefined;
    const there = unchanged ? place.previous?.rules !== '' : names.some(({ name }) => name === IGNORE_FILE);
    return there ? this.#request.ignoreFile(place.path) : undefined;
  }

  /** The names a folder had, where its listing need not be read if the folder itself was not changed. */
  #knownNames(place: Place): DiskFolder | undefined {
    const { previous } = place;
    if (previous === undefined || !place.sameRules || previous.exceptions || !isSettled(previous)) return undefined;
    const doubtful = previous.left.some(
      ({ name, reason }) => !LASTING.has(reason) || entryNamed(place.tracked.entries, name) !== undefined,
    );
    return doubtful ? undefined : previous;
  }

  /** Looks at the entries that are known. */
  *#again(place: Place): Generator<undefined, Draft> {
    const draft: Draft = { entries: [], left: [], exceptions: false };
    const { root } = this.#request;
    const onShared = () => this.#request.watch?.keepSuspect(place.path);
    const isUnchanged = place.scope === undefined ? unchangedFiles(root, place.path, onShared) : undefined;
    for (const entry of place.previous?.entries ?? []) {
      if (entry.kind !== 'folder' && isUnchanged?.(entry)) draft.entries.push(entry);
      else yield* this.#enter(place, { name: entry.name, kind: entry.kind }, draft);
    }
    for (const { name, reason } of place.previous?.left ?? []) this.#leave(place, name, reason, draft);
    return draft;
  }

  *#fresh(place: Place, listing: FolderListing): Generator<undefined, Draft> {
    const draft: Draft = { entries: [], left: [], exceptions: false };
    for (const found of listing.names) {
      const verdict = this.#judge(place, found);
      if (verdict === undefined) yield* this.#enter(place, found, draft);
      else if (!verdict.isFinal && isTracked(place, found)) {
        draft.exceptions = true;
        yield* this.#enter({ ...place, ignored: true }, found, draft);
      } else this.#leave(place, found.name, verdict.reason, draft);
    }
    return draft;
  }

  #judge(place: Place, { name, kind }: Found): Verdict | undefined {
    if (isReservedName(name) || name.startsWith(STAGE_PREFIX)) return { reason: 'reserved_name', isFinal: true };
    if (kind === 'link' && isReservedLink(name)) return { reason: 'reserved_name', isFinal: true };
    if (kind === 'special') return { reason: 'special_file', isFinal: true };
    const { rules } = this.#request;
    const entry = { path: joinPath(place.path, name), name, isFolder: kind === 'folder' };
    const decision = decidingRule(rules, place.stack, entry);
    if (decision?.rule.negated === false && decision.isFinal) return { reason: 'ignored', isFinal: true };
    if (place.ignored || decision?.rule.negated === false) return { reason: 'ignored', isFinal: false };
    const secret = rules.secrets?.find(entry.path, name, entry.isFolder);
    return secret?.negated === false ? { reason: 'secret_name', isFinal: false } : undefined;
  }

  *#enter(place: Place, found: Found, draft: Draft): Generator<undefined, void> {
    const path = joinPath(place.path, found.name);
    const before = place.previous && entryNamed(place.previous.entries, found.name);
    if (!reaches(path, place.scope)) {
      if (before !== undefined) draft.entries.push(before);
      return;
    }
    const entry =
      found.kind === 'folder'
        ? yield* this.#folder(this.#below(place, path, found.name, before), found.name)
        : this.#file(place, path, { found, before });
    if (typeof entry === 'string') this.#leave(place, found.name, entry, draft);
    else if (entry !== undefined) draft.entries.push(entry);
  }

  #below(place: Place, path: BytePath, name: string, before: DiskFile | DiskFolder | undefined): Place {
    const tracked = entryNamed(place.tracked.entries, name);
    return {
      ...place,
      path,
      previous: before?.kind === 'folder' ? before : undefined,
      tracked: tracked?.kind === 'folder' ? tracked : EMPTY_FOLDER,
    };
  }

  #file(
    { path: folder, scope }: Place,
    path: BytePath,
    { found, before }: { readonly found: Found; readonly before: DiskFile | DiskFolder | undefined },
  ): DiskFile | LeftOutReason | undefined {
    if (!holds(path, scope)) return before?.kind === 'folder' ? undefined : before;
    const now = statEntry({ root: this.#request.root, path, name: found.name }, () =>
      this.#request.watch?.keepSuspect(folder),
    );
    if (typeof now === 'string') return now;
    const limit = this.#request.rules.maxFileBytes;
    if (limit !== undefined && now.size > limit) return 'too_large';
    if (before === undefined || before.kind !== now.kind || !sameStamp(before, now) || !isSettled(before)) return now;
    return before;
  }

  #leave(place: Place, name: string, reason: LeftOutReason, draft: Draft): void {
    draft.left.push({ name, reason });
    this.#report(place, { name, reason });
  }

  #report({ path: folder, scope }: Pick<Place, 'path' | 'scope'>, { name, reason }: LeftName): void {
    const path = joinPath(folder, name);
    if (name.startsWith(STAGE_PREFIX) || path === '.git' || !reaches(path, scope)) return;
    if (name === '.git') this.#nested.push(folder);
    else this.#leftOut.push({ path, reason });
  }

  #finish(
    place: Place,
    name: string,
    { listing, draft, version }: { listing: FolderListing; draft: Draft; version: string },
  ): DiskFolder {
    const { previous } = place;
    const whole = place.scope === undefined;
    const stamp = whole || previous === undefined ? listing.stamp : previous;
    const same = previous !== undefined && sameStamp(previous, stamp) && sameItems(previous.entries, draft.entries);
    const rules = whole || previous === undefined || previous.rules === version ? version : MIXED;
    const sameRest = previous?.rules === rules && previous.exceptions === draft.exceptions;
    if (same && isSettled(previous) && sameRest && sameLeft(previous.left, draft.left)) return previous;
    return {
      kind: 'folder',
      name,
      mode: stamp.mode,
      oid: previous !== undefined && sameItems(previous.entries, draft.entries) ? previous.oid : undefined,
      entries: draft.entries,
      size: stamp.size,
      mtime: stamp.mtime,
      ctime: stamp.ctime,
      ino: stamp.ino,
      seen: whole ? listing.stamp.seen : (previous?.seen ?? 0),
      left: draft.left,
      exceptions: draft.exceptions,
      rules,
    };
  }
}

/** A file that took a tracked folder's place, or the other way round, is something new. */
function isTracked(place: Place, { name, kind }: Found): boolean {
  const entry = entryNamed(place.tracked.entries, name);
  return entry !== undefined && (entry.kind === 'folder') === (kind === 'folder');
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

function sameLeft(a: readonly LeftName[], b: readonly LeftName[]): boolean {
  return a.length === b.length && a.every((item, i) => item.name === b[i]?.name && item.reason === b[i]?.reason);
}
