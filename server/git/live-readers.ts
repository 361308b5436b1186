/** Something that holds a process and can do without it. */
export interface Sleeper {
  readonly busy: boolean;
  sleep(): void;
}

/** Notes that a reader is in use; where too many hold a process, those idle for longest give theirs up. */
export function noteUse(reader: Sleeper): void {
  live.delete(reader);
  live.add(reader);
  for (const other of [...live].slice(0, -MOST_LIVE)) {
    if (other.busy || other === reader) continue;
    live.delete(other);
    other.sleep();
  }
}

/** Notes that a reader holds no process any more. */
export function noteRest(reader: Sleeper): void {
  live.delete(reader);
}

/** Idle processes of all projects together. One takes about 6 MB. */
const MOST_LIVE = 24;
const live = new Set<Sleeper>();
