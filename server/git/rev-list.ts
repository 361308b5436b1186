import type { BytePath } from '../domain/byte-path.ts';
import { type Oid, parseOid } from '../domain/ids.ts';
import { pathspecs } from './pathspec.ts';
import { readGit, readGitEnd } from './stream.ts';

/** Lists commits that are reachable from one, newest first. */
export async function revList(
  shadowDir: string,
  start: Oid,
  { limit, skip = 0 }: { readonly limit?: number; readonly skip?: number } = {},
): Promise<readonly Oid[]> {
  const count = limit === undefined ? [] : [`--max-count=${limit}`];
  const args = ['rev-list', ...count, `--skip=${skip}`, '--end-of-options', start, '--'];
  return oids(await readGit(shadowDir, args, { limits: { output_bytes: MOST_OBJECTS * 41 } }));
}

/** Lists the commits after one up to another, oldest first, along first parents. */
export async function commitsBetween(
  shadowDir: string,
  { good, bad, path }: { readonly good: Oid; readonly bad: Oid; readonly path?: BytePath },
): Promise<{ readonly kind: 'between'; readonly commits: readonly Oid[] } | { readonly kind: 'unrelated' }> {
  const { exit } = await readGitEnd(shadowDir, ['merge-base', '--is-ancestor', good, bad], { okExits: [0, 1] });
  if (exit === 1) return { kind: 'unrelated' };
  const args = ['rev-list', '--first-parent', '--reverse', `^${good}`, bad, ...pathspecs(path)];
  return { kind: 'between', commits: oids(await readGit(shadowDir, args)) };
}

/** Lists every object that is reachable from some, by id. Fails where one is missing. */
export async function reachableObjects(
  shadowDir: string,
  from: readonly Oid[],
  options: { readonly not?: readonly Oid[]; readonly signal?: AbortSignal } = {},
): Promise<readonly Oid[]> {
  const { not = [], signal } = options;
  const stdin = [...from, ...not.map((oid) => `^${oid}`)].map((line) => `${line}\n`).join('');
  const limits = { output_bytes: MOST_OBJECTS * 41, idle_ms: 600_000 };
  return oids(
    await readGit(shadowDir, ['rev-list', '--objects', '--no-object-names', '--stdin'], {
      stdin,
      limits,
      ...(signal ? { signal } : {}),
    }),
  );
}

const MOST_OBJECTS = 10_000_000;

/** Only ids were asked for: no line can hold anything else. */
function oids(output: Buffer): readonly Oid[] {
  const found: Oid[] = [];
  for (let at = 0; at + 40 <= output.length; at += 41) found.push(parseOid(output.toString('latin1', at, at + 40)));
  return found;
}
