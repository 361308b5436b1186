import { get, post, type Query } from './call.ts';
import type * as of from './types.ts';

const BASE = '/devloop/projects';
const at = (pid: string, ...parts: readonly string[]): string =>
  [BASE, ...[pid, ...parts].map(encodeURIComponent)].join('/');

/** The routes of projects, as functions. */
export const projectApi = {
  list: (query: Query) => get<of.List<of.ProjectSummary>>(BASE, query),
  create: (wish: of.NewProject) => post<of.CreatedProject>(BASE, wish),
  show: (pid: string) => get<of.Project>(at(pid)),
  command: (pid: string, name: string, body: unknown = {}) => post<of.Project>(at(pid, name), body),
  attempts: (pid: string, unit: string) => get<of.List<of.Attempt>>(at(pid, 'units', unit, 'attempts')),
  runs: (pid: string, query: Query) => get<of.List<of.Run>>(at(pid, 'runs'), query),
  run: (pid: string, run: string) => get<of.RunResult>(at(pid, 'runs', run)),
  commits: (pid: string, query: Query) => get<of.List<of.Commit>>(at(pid, 'commits'), query),
  commit: (pid: string, rev: string) => get<of.CommitDetail>(at(pid, 'commits', rev)),
  status: (pid: string) => get<of.TreeStatus>(at(pid, 'status')),
  revert: (pid: string, rev: string, snapshot: string) =>
    post<of.Reverted>(at(pid, 'revert'), { rev }, { 'if-match': `"${snapshot}"` }),
  /** Makes the files those of HEAD, if they are still in the state that the snapshot names. */
  reset: (pid: string, snapshot: string) => post<unknown>(at(pid, 'reset'), {}, { 'if-match': `"${snapshot}"` }),
  tag: (pid: string, wish: { readonly name: string; readonly ref: string }) => post<unknown>(at(pid, 'tags'), wish),
  tags: (pid: string) => get<of.List<of.Tag>>(at(pid, 'tags')),
  tree: (pid: string, query: Query) => get<of.List<of.TreeEntry>>(at(pid, 'tree'), query),
  diff: (pid: string, query: Query) => get<of.Diff>(at(pid, 'diff'), query),
  /** What the folder has and no commit. */
  uncommitted: (pid: string) => get<of.Diff>(at(pid, 'status', 'diff')),
  rescues: (pid: string) => get<of.List<of.Rescue>>(at(pid, 'rescues')),
  restoreRescue: (pid: string, id: string) => post<{ readonly rescue?: string }>(at(pid, 'rescues', id, 'restore')),
  recover: (pid: string, body: { readonly action: of.RecoveryAction; readonly snapshot: string }) =>
    post<{ readonly rescue?: string; readonly sha?: string }>(at(pid, 'recovery'), body),
  manifest: (pid: string, ref: string) => get<of.Manifest>(at(pid, 'archive', 'manifest'), { ref }),
  findings: (pid: string) => get<of.FindingList>(at(pid, 'findings')),
  timeline: (pid: string, query: Query) => get<of.List<of.TimelineLine>>(at(pid, 'timeline'), query),
  trace: (pid: string, query: Query) => get<of.List<unknown>>(at(pid, 'trace'), query),
  recoveries: () => get<of.List<of.Recovery>>('/devloop/recovery'),
  /** The address of a download, below the API's own. */
  place: at,
};
