import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Commit } from '../../server/web/api/types.ts';
import { gitIn } from '../support/demo-project.ts';

export interface Edit {
  readonly at: number;
  readonly remove: number;
  readonly add: number;
}

/** One file changed commit by commit, with what git says of it. */
export function commitChain(folder: string, edits: readonly Edit[]) {
  const git = gitIn(folder, folder);
  git('init', '--quiet', '-b', 'main');
  let lines = Array.from({ length: 8 }, (_, at) => `line ${at}`);
  const save = (message: string) => {
    writeFileSync(join(folder, 'file'), lines.map((line) => `${line}\n`).join(''));
    git('add', 'file');
    git('-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--allow-empty', '-m', message);
  };
  save('first');
  for (const [number, { at, remove, add }] of edits.entries()) {
    lines = lines.toSpliced(at, remove, ...Array.from({ length: add }, (_, index) => `edit ${number} ${index}`));
    save(`edit ${number}`);
  }
  const commits = git('log', '--format=%H %P', '--', 'file')
    .split('\n')
    .map((line): Commit => {
      const [sha = '', ...parents] = line.trim().split(' ');
      return { sha, parents, subject: '', author: { name: '', email: '' }, ts: '', trailers: {}, refs: [] };
    });
  const blamed = git('blame', '--line-porcelain', 'file')
    .split('\n')
    .flatMap((line) => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? []);
  // The parents are those of the whole history: a commit that left the file alone is between them.
  const whole = commits.map((one) => ({ ...one, parents: one.sha === commits.at(-1)?.sha ? [] : [`${one.sha}^`] }));
  return {
    commits: whole,
    blamed: lines.length === 0 ? [] : blamed,
    count: lines.length,
    patchOf: (sha: string) => git('diff', `${sha}^`, sha, '--', 'file'),
  };
}
