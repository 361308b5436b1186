import { lstatSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import type { TreeFolder } from '../domain/file-tree.ts';
import { type Oid, ZERO_OID } from '../domain/ids.ts';
import type { RefName } from '../domain/ref-names.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import type { WriteScope } from '../domain/write-scope.ts';
import { openObjectWriter, type StepwiseWriter } from '../git/objects/object-writer.ts';
import type { ObjectSink, WorkingTree, Written } from '../tree/index.ts';
import { type Move, moveRefs } from './move-refs.ts';
import type { LockedVault } from './open-vault.ts';
import { type NewCommit, type NewTag, putCommit, putTag } from './put-commit.ts';

export interface RefChange {
  readonly ref: RefName;
  /** Expected old value; absent where the ref is made. */
  readonly from?: Oid;
  readonly to: Oid;
}

/** Objects on their way into the repository, and the refs that are to hold them. */
export interface Draft {
  /** Takes the disk's files in the scope, and the base's outside of it; by other rules than a commit's where `files` has such. */
  takeFiles(from: {
    readonly base: TreeFolder;
    readonly scope?: WriteScope;
    readonly files?: WorkingTree;
  }): Promise<Written>;
  commit(commit: NewCommit): Oid;
  tag(tag: NewTag): Oid;
  /** Makes all of it durable, and moves the refs as one. */
  publish(changes: readonly RefChange[], also?: Pick<Move, 'commit' | 'companion'>): Promise<void>;
}

/**
 * Does work on a draft; what was not published when it ends is given up.
 * @param doing what an error says was being done
 */
export async function withDraft<Result>(
  vault: LockedVault,
  doing: string,
  work: (draft: Draft) => Promise<Result>,
): Promise<Result> {
  const { pid, objects, gitDir } = vault;
  try {
    if (!lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory()) {
      throw new DevLoopError('vault_damaged', `${doing}: project ${pid} has no repository`, { data: { pid } });
    }
    const writer = openObjectWriter(objects, { durable: true });
    try {
      return await work(draftOn(vault, writer));
    } finally {
      await writer.abort();
    }
  } catch (error) {
    throw systemRefusal(error, { doing: `${doing} of project ${pid}`, data: { pid } });
  }
}

function draftOn(vault: LockedVault, writer: StepwiseWriter): Draft {
  return {
    takeFiles: ({ base, scope, files = vault.tree }) => files.write({ base, scope, sink: sinkOf(writer) }),
    commit: (commit) => putCommit(vault, writer, commit),
    tag: (tag) => putTag(vault, writer, tag),
    async publish(changes, also) {
      const updates = changes.map(({ ref, from = ZERO_OID, to }) => ({ ref, old: from, new: to }));
      await moveRefs(vault, { updates, objects: writer, ...also });
    },
  };
}

/** What the disk refuses to the writer must not be taken for a file that cannot be read. */
function sinkOf(writer: StepwiseWriter): ObjectSink {
  return {
    has: (oid) => writer.has(oid),
    put(kind, content) {
      try {
        return writer.write(kind, content);
      } catch (error) {
        throw systemRefusal(error, { doing: 'writing objects' });
      }
    },
  };
}
