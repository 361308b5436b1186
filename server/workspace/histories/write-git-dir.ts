import { join } from 'node:path';
import { type Oid, ZERO_OID } from '../../domain/ids.ts';
import type { NestedRepository } from '../../domain/point.ts';
import { DEVLOOP } from '../../domain/roles.ts';
import { writePackedRefs } from '../../git/bare-repository.ts';
import { makeFolders } from '../../io/make-folders.ts';
import { writeAtomic } from '../../io/write-atomic.ts';
import { STASHES } from './history-source.ts';
import type { SavedRemote } from './remote-urls.ts';

/** A stash entry as its log tells of it. */
export interface StashEntry {
  readonly oid: Oid;
  /** Since 1970; not 0, which git takes for damage. */
  readonly seconds: number;
  readonly subject: string;
}

interface GitDirContent {
  readonly refs: ReadonlyMap<string, Oid>;
  /** Oldest first. */
  readonly stashes: readonly StashEntry[];
  readonly row: NestedRepository;
  readonly bare: boolean;
}

/** Writes refs, HEAD, stash entries and settings of a git dir that has its objects. Nothing of it runs anything. */
export function writeGitDir(gitDir: string, { refs, stashes, row, bare }: GitDirContent): void {
  makeFolders(join(gitDir, 'refs'));
  const kept = new Map([...refs].filter(([name]) => name !== 'HEAD' && !name.startsWith(STASHES)));
  const newest = stashes.at(-1);
  if (newest !== undefined) kept.set('refs/stash', newest.oid);
  writePackedRefs(gitDir, kept);
  if (stashes.length > 0) writeStashLog(gitDir, stashes);
  writeAtomic(join(gitDir, 'config'), configOf(row.remotes ?? [], bare));
  writeAtomic(join(gitDir, 'HEAD'), headOf(row, refs.get('HEAD')));
}

/** git finds every entry but the newest by its log only. */
function writeStashLog(gitDir: string, stashes: readonly StashEntry[]): void {
  const lines = stashes.map(({ oid, seconds, subject }, i) => {
    const before = stashes[i - 1]?.oid ?? ZERO_OID;
    return `${before} ${oid} ${DEVLOOP.name} <${DEVLOOP.email}> ${seconds} +0000\t${subject}\n`;
  });
  makeFolders(join(gitDir, 'logs/refs'));
  writeAtomic(join(gitDir, 'logs/refs/stash'), lines.join(''));
}

function headOf({ branch }: NestedRepository, head: Oid | undefined): string {
  const isName = branch !== undefined && /^(?!.*\.\.)[^\s~^:?*[\\]+$/.test(branch) && !branch.startsWith('refs/');
  if (isName) return `ref: refs/heads/${branch}\n`;
  return head === undefined ? 'ref: refs/heads/main\n' : `${head}\n`;
}

function configOf(remotes: readonly SavedRemote[], bare: boolean): string {
  const core = `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${bare}\n\tlogallrefupdates = true\n`;
  const sections = remotes
    .filter(({ name, url }) => !/["\\\n]/.test(name + url))
    .map(({ name, url }) => `[remote "${name}"]\n\turl = "${url}"\n\tfetch = "+refs/heads/*:refs/remotes/${name}/*"\n`);
  return core + sections.join('');
}
