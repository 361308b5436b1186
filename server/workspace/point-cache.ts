import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Oid } from '../domain/ids.ts';
import type { Point } from '../domain/point.ts';
import { hasCode } from '../io/io-error.ts';

/**
 * What is remembered of the points, by commit: in memory, and from one start to the next in a file of a point a line. What
 * it does not tell is read from the points themselves, so that its loss costs time only and it is never synced.
 */
export class PointCache {
  readonly #path: string;
  #points: Map<Oid, Point> | undefined;

  constructor(store: string) {
    this.#path = join(store, 'points.ndjson');
  }

  get(commit: Oid): Point | undefined {
    return this.#known().get(commit);
  }

  note(points: readonly Point[]): void {
    for (const point of points) this.#known().set(point.commit, point);
    keeping(() => appendFileSync(this.#path, points.map(lineOf).join(''), { mode: 0o600 }));
  }

  /** Forgets all others. */
  keepOnly(points: readonly Point[]): void {
    this.#points = new Map(points.map((point) => [point.commit, point]));
    const temporary = `${this.#path}.${process.pid}.tmp`;
    keeping(() => {
      writeFileSync(temporary, points.map(lineOf).join(''), { mode: 0o600 });
      renameSync(temporary, this.#path);
    });
  }

  /** How many there are, with those of points that are gone. */
  get size(): number {
    return this.#known().size;
  }

  #known(): Map<Oid, Point> {
    this.#points ??= readLines(this.#path);
    return this.#points;
  }
}

const lineOf = (point: Point): string => `${JSON.stringify(point)}\n`;

function readLines(path: string): Map<Oid, Point> {
  const points = new Map<Oid, Point>();
  for (const line of textOf(path).split('\n')) {
    const point = parseLine(line);
    if (point !== undefined) points.set(point.commit, point);
  }
  return points;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

/** Undefined for the part of a line that a kill or a power cut leaves. */
function parseLine(line: string): Point | undefined {
  try {
    const point = JSON.parse(line) as Point | null;
    return typeof point?.commit === 'string' ? point : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Where the disk takes nothing, nothing is kept. */
function keeping(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM')) throw error;
  }
}
