import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from '../../server/domain/file-tree.ts';
import { EMPTY_FOLDER } from '../../server/domain/file-tree.ts';
import { type PlanOptions, planRestore, type RestorePlan } from '../../server/domain/restore-plan.ts';
import { hashObject } from '../../server/git/objects/object-id.ts';
import {
  type Look,
  openWorkingTree,
  type TreeRules,
  type WorkingTree,
  type WriteBackReport,
  writeBack,
} from '../../server/tree/index.ts';

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
    const id = `r${++this.#restores}`;
    return writeBack({ id, root: this.root, journal: this.journal, plan, modes, read: (file) => this.read(file) });
  }

  async read({ oid }: TreeFile): Promise<Uint8Array> {
    const content = this.contents.get(oid ?? '');
    if (content === undefined) throw new Error(`no content ${oid}`);
    return content;
  }
}
