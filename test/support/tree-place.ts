import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from '../../server/domain/file-tree.ts';
import { EMPTY_FOLDER } from '../../server/domain/file-tree.ts';
import { type PlanOptions, planRestore, type RestorePlan } from '../../server/domain/restore-plan.ts';
import { hashObject } from '../../server/git/objects/object-id.ts';
import {
  finishWriteBacks,
  type Look,
  openWorkingTree,
  type TreeRules,
  type WorkingTree,
  type WriteBackReport,
  writeBack,
} from '../../server/tree/index.ts';
import type { WriteBack, WrittenBack } from '../../server/tree/write-back.ts';

/** A folder with a working tree whose contents are kept in memory, to be restored from. */
export class TreePlace {
  readonly root: string;
  readonly journal: string;
  readonly tree: WorkingTree;
  readonly contents = new Map<string, Uint8Array>();
  #restores = 0;

  constructor(folder: string, rules: Partial<TreeRules> = {}) {
    this.root = join(folder, 'root');
    this.journal = join(folder, 'journal');
    mkdirSync(this.root, { recursive: true });
    this.tree = openWorkingTree({
      root: this.root,
      stateFile: join(folder, 'state.bin'),
      rules: { ignoreFiles: false, lists: [], key: 't', ...rules },
    });
  }

  /** What is there now; its contents can be restored later. */
  async keep(): Promise<Look> {
    return this.tree.write({
      base: EMPTY_FOLDER,
      sink: {
        has: (oid) => this.contents.has(oid),
        put: (kind, content) => {
          const oid = hashObject(kind, content);
          this.contents.set(oid, Buffer.from(content));
          return oid;
        },
      },
    });
  }

  async plan(target: Look, options: PlanOptions = { modes: 'exact' }): Promise<RestorePlan> {
    return planRestore((await this.tree.look()).disk, target.disk, options);
  }

  async restore(plan: RestorePlan, modes: PlanOptions['modes'] = 'exact'): Promise<WriteBackReport> {
    return writeBack({ ...this.#request(plan), modes });
  }

  /** The same for who does not wait for the disk. */
  async restoreSoon(plan: RestorePlan, kept: NonNullable<WriteBack['kept']> = () => true): Promise<WrittenBack> {
    return writeBack({ ...this.#request(plan), kept });
  }

  /** Carries on what was begun, with the contents that are in memory. */
  finish(): Promise<readonly WriteBackReport[]> {
    return finishWriteBacks(this.journal, undefined, {
      read: (oid) => this.read({ oid }),
      usualRoot: this.root,
    });
  }

  #request(plan: RestorePlan): WriteBack {
    const id = `r${++this.#restores}`;
    return { id, root: this.root, journal: this.journal, plan, modes: 'exact', read: (file) => this.read(file) };
  }

  async read({ oid }: Pick<TreeFile, 'oid'>): Promise<Uint8Array> {
    const content = this.contents.get(oid ?? '');
    if (content === undefined) throw new Error(`no content ${oid}`);
    return content;
  }
}
