import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Point } from '../domain/point.ts';
import { hasCode } from '../io/io-error.ts';
import type { OpenWorkspace } from './open-workspace.ts';

/** What is remembered of the points, by commit. What cannot be read here is read from the points themselves. */
export function readPointCache(workspace: OpenWorkspace): ReadonlyMap<string, Point> {
  try {
    const { points } = JSON.parse(readFileSync(pathOf(workspace), 'utf8')) as { readonly points: readonly Point[] };
    return new Map(points.map((point) => [point.commit, point]));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || hasCode(error, 'ENOENT')) return new Map();
    throw error;
  }
}

/** Replaces the cache whole; it is not synced, since its loss costs time only. */
export function writePointCache(workspace: OpenWorkspace, points: readonly Point[]): void {
  const path = pathOf(workspace);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify({ schema: 1, points })}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM')) throw error;
  }
}

const pathOf = ({ store }: OpenWorkspace): string => join(store, 'points.json');
