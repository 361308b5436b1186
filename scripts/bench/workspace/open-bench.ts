import { join } from 'node:path';
import type { Point, WorkspaceFile } from '../../../server/domain/point.ts';
import { applyRestore } from '../../../server/workspace/apply-restore.ts';
import { trackedBy } from '../../../server/workspace/collect-files.ts';
import { makeStore } from '../../../server/workspace/open-store.ts';
import { type OpenWorkspace, openWorkspace } from '../../../server/workspace/open-workspace.ts';
import { planNow } from '../../../server/workspace/plan-now.ts';
import { planRestoreTo } from '../../../server/workspace/plan-restore.ts';
import { hashSink } from '../../../server/workspace/point-sink.ts';
import { listPoints } from '../../../server/workspace/point-store.ts';
import { takePoint } from '../../../server/workspace/take-point.ts';
import { drain, withLock } from '../../../server/workspace/workspace-lock.ts';
import { placeOf } from '../../../server/workspace/workspace-place.ts';
import { writePoint } from '../../../server/workspace/write-point.ts';
import { timed } from '../rows.ts';
import type { BenchWorkspace } from './bench-workspace.ts';

/** A generated workspace, opened as a long-running process has it. */
export class OpenBench {
  readonly #workspace: OpenWorkspace;

  constructor(
    { stateDir: all, home, root }: Pick<BenchWorkspace, 'stateDir' | 'home' | 'root'>,
    { watch = false }: { readonly watch?: boolean } = {},
  ) {
    const stateDir = join(all, watch ? 'watched' : 'walk');
    const options = { stateDir, home, maxTurns: 50, exclude: [], include: [], largeFileBytes: LARGE, now, watch };
    const place = placeOf(stateDir, root);
    const settings: WorkspaceFile['settings'] = { gitignore: true, exclude: [], include: [] };
    this.#workspace = openWorkspace(place, makeStore(place, { now: now(), settings }), options);
  }

  point(): Promise<Point> {
    return withLock(this.#workspace, (locked) => takePoint(locked, { phase: 'MANUAL', reason: 'bench' }));
  }

  async lastPoint(): Promise<string> {
    return (await listPoints(this.#workspace)).at(-1)?.id ?? '';
  }

  async scan(): Promise<void> {
    const tracked = await trackedBy(this.#workspace, (await listPoints(this.#workspace)).at(-1));
    await this.#workspace.tree().files.look({ tracked, hasher: hashSink(this.#workspace) });
  }

  async plan(point: string): Promise<void> {
    await withLock(this.#workspace, (locked) => planRestoreTo(locked, { point }));
  }

  /** Milliseconds that it takes to write what a plan says. */
  timeToWrite(point: string): Promise<number> {
    return withLock(this.#workspace, async (locked) => {
      const planned = await planNow(locked, { point });
      return timed(() => writePoint(locked, { id: `bench-${process.hrtime.bigint()}`, ...planned }));
    });
  }

  async planAndRestore(point: string): Promise<void> {
    const { id, digest } = await withLock(this.#workspace, (locked) => planRestoreTo(locked, { point }));
    await withLock(this.#workspace, (locked) => applyRestore(locked, id, digest));
  }

  /** Resolves when nothing of it is on its way to the disk any more. */
  settled(): Promise<void> {
    return drain(this.#workspace);
  }

  async close(): Promise<void> {
    await this.settled();
    this.#workspace.close();
  }
}

const LARGE = 10 * 1024 * 1024;
const now = (): Date => new Date();
