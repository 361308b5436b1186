import { pathText } from './byte-path.ts';
import type { CommitOutcome } from './commit.ts';
import type { EventOf } from './loop-event.ts';

/** The event of a commit that the vault has made. */
export function landedEvent(
  key: string,
  { sha, tag, left_out }: Extract<CommitOutcome, { kind: 'committed' }>,
): EventOf<'commit.landed'> {
  return {
    kind: 'commit.landed',
    key,
    sha,
    left_out: left_out.map(({ path, reason }) => ({ ...pathText(path), reason })),
    ...(tag !== undefined && { tag }),
  };
}
