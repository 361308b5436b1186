import { bytePathFromText } from '../domain/byte-path.ts';
import { DevLoopError } from '../domain/errors.ts';
import { systemRefusal } from '../domain/system-refusal.ts';
import { hasCode } from '../io/io-error.ts';
import { makeFolders } from '../io/make-folders.ts';
import { appendBelow, readBelow, writeBelow } from '../io/safe-path.ts';
import { stageOf } from './project-lifetime.ts';
import type { ProjectPlace } from './project-scan.ts';

/** Reads a file of at most `limit` bytes; undefined where it is absent. @throws DevLoopError path_refused, validation_failed where it is larger. */
export function readProjectFile({ pid, root }: ProjectPlace, path: string, limit: number): Uint8Array | undefined {
  return refusing({ doing: `reading ${path}`, pid, path }, () => readBelow(root, bytePathFromText(path), limit));
}

/** Replaces a file whole, durably unless told otherwise. */
export function writeProjectFile(
  { pid, root, state }: ProjectPlace,
  path: string,
  { content, durable = true }: { readonly content: string | Uint8Array; readonly durable?: boolean },
): void {
  refusing({ doing: `writing ${path}`, pid, path }, () => {
    const stage = stageOf(state);
    makeFolders(stage);
    writeBelow(root, bytePathFromText(path), content, { stage, durable });
  });
}

/** Appends durably to a file. */
export function appendProjectFile({ pid, root }: ProjectPlace, path: string, content: string): void {
  refusing({ doing: `appending to ${path}`, pid, path }, () => appendBelow(root, bytePathFromText(path), content));
}

interface Attempt {
  readonly doing: string;
  readonly pid: string;
  readonly path: string;
}

function refusing<Result>({ doing, ...data }: Attempt, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    if (!hasCode(error, 'path_refused', 'too_large')) throw systemRefusal(error, { doing, data });
    const code = error.code === 'too_large' ? 'validation_failed' : 'path_refused';
    throw new DevLoopError(code, `${doing} of project ${data.pid}: ${error.message}`, { data, cause: error });
  }
}
