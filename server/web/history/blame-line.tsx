import type { Commit } from '../api/types.ts';
import { short } from '../shell/format.ts';
import { linkTo } from '../shell/route.ts';
import { visibleLine } from '../shell/visible.ts';

export interface BlameLineProps {
  readonly pid: string;
  readonly commit: Commit | undefined;
  /** The line above's. */
  readonly before: Commit | undefined;
}

/** Who wrote a line; said again only where it is another than above. */
export function BlameLine({ pid, commit, before }: BlameLineProps) {
  if (commit === undefined) return <span class="blame" />;
  const { sha, author, subject } = commit;
  return (
    <span class="blame" data-author={author.name} data-blame={sha} title={visibleLine(`${author.name}: ${subject}`)}>
      {before?.sha !== sha && (
        <>
          <a class="mono" href={linkTo(['p', pid, 'history', sha])}>
            {short(sha)}
          </a>{' '}
          {visibleLine(author.name)}
        </>
      )}
    </span>
  );
}
