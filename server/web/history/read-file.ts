import { ask } from '../api/call.ts';
import { projectApi } from '../api/project-api.ts';
import type { Commit } from '../api/types.ts';
import { blame } from './blame.ts';

export type FilePlace = {
  readonly ref: string;
  readonly path: string;
  readonly path_b64: string | undefined;
};

export type FileText =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  /** Bytes. */
  | { readonly kind: 'binary'; readonly size: number };

/** The commits that are looked through to tell which of a file's commits a revision has. */
const MOST = 500;

/** A file's lines; what is no UTF-8 text is only measured. Throws Problem. */
export async function readText(pid: string, at: FilePlace): Promise<FileText> {
  const response = await ask('GET', projectApi.place(pid, 'file'), { query: at });
  if (!response.headers.get('content-type')?.startsWith('text/plain')) {
    return { kind: 'binary', size: (await response.arrayBuffer()).byteLength };
  }
  const text = await response.text();
  return { kind: 'text', lines: text === '' ? [] : text.replace(/\n$/, '').split('\n') };
}

/** Which commit brought each line. Of a revision that is not among the last commits of main nothing is told. Throws Problem. */
export async function blameOfFile(pid: string, at: FilePlace, lines: number): Promise<readonly (Commit | undefined)[]> {
  const { ref, path, path_b64 } = at;
  const [{ sha }, all, own] = await Promise.all([
    projectApi.commit(pid, ref),
    projectApi.commits(pid, { limit: MOST }),
    projectApi.commits(pid, { limit: MOST, path, path_b64 }),
  ]);
  const start = all.items.findIndex((commit) => commit.sha === sha);
  if (start < 0) return [];
  const before = new Set(all.items.slice(start).map((commit) => commit.sha));
  const commits = own.items.filter((commit) => before.has(commit.sha));
  return blame(lines, commits, async (commit) => {
    const [from] = commit.parents;
    return (await projectApi.diff(pid, { from, to: commit.sha, path, path_b64 })).patch;
  });
}
