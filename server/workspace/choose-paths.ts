import { type BytePath, isWithin, parentPath } from '../domain/byte-path.ts';

/** Tells for a path why it is not restored; undefined where it is. */
export type Keep = (path: BytePath) => string | undefined;

/** Chooses some paths and what is below them; the folders above may come and go with them. */
export function chooseBelow(paths: readonly BytePath[]): Keep {
  return (path) =>
    paths.some((chosen) => isWithin(path, chosen) || isWithin(chosen, path)) ? undefined : 'not_chosen';
}

/** Chooses exactly some paths; the folders above may come and go with them. */
export function chooseExactly(paths: Iterable<BytePath>): Keep {
  const chosen = new Set<BytePath>();
  for (const path of paths) for (let at = path; at !== ''; at = parentPath(at)) chosen.add(at);
  return (path) => (chosen.has(path) ? undefined : 'not_chosen');
}

/** Keeps what any of some would keep, for the first one's reason. */
export function keepAll(keeps: readonly (Keep | undefined)[]): Keep {
  return (path) => {
    for (const keep of keeps) {
      const reason = keep?.(path);
      if (reason !== undefined) return reason;
    }
    return undefined;
  };
}
