import type { Calls } from '../http/index.ts';
import { table } from './table.ts';
import { plain, type Terminal } from './terminal.ts';

type Commit = Calls['GET /projects/:pid/commits']['response']['items'][number];
type File = Calls['GET /projects/:pid/status']['response']['files'][number];

/** One line a commit: hash, author, subject, what points to it. */
export function commitLines(commits: readonly Commit[], { paint }: Terminal): string {
  const width = Math.max(0, ...commits.map(({ author }) => author.name.length));
  return commits
    .map(({ sha, author, subject, refs }) => {
      const names = refs.length === 0 ? '' : ` ${paint('cyan', `(${refs.map(plain).join(', ')})`)}`;
      return `${paint('yellow', sha.slice(0, 7))}  ${plain(author.name).padEnd(width)}  ${plain(subject)}${names}\n`;
    })
    .join('');
}

/** A commit with its author, time and trailers. */
export function commitText({ sha, author, ts, subject, trailers, refs }: Commit, { paint }: Terminal): string {
  const facts = [
    ['author', `${author.name} <${author.email}>`],
    ['date', ts],
    ...(refs.length === 0 ? [] : [['refs', refs.join(', ')]]),
    ...Object.entries(trailers),
  ];
  return `${paint('yellow', sha)}\n${paint('bold', plain(subject))}\n\n${table(facts)}`;
}

/** One line a changed file, with the lines added and deleted where they are known. */
export function filesText(files: readonly File[]): string {
  return table(files.map(({ change, additions, deletions, path }) => [change, counts(additions, deletions), path]));
}

/** One line a file that could not be brought back, with the reason. */
export function leftText(left: readonly { readonly path: string; readonly reason: string }[]): string {
  return table(left.map(({ path, reason }) => ['still differs', path, reason]));
}

const counts = (additions: number | undefined, deletions: number | undefined): string =>
  additions === undefined && deletions === undefined ? '' : `+${additions ?? 0} -${deletions ?? 0}`;
