import { z } from 'zod';
import { type BytePath, pathText } from '../../domain/byte-path.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { jsonRoute } from '../route.ts';
import {
  commitDetail,
  commitList,
  logQuery,
  manifest,
  manifestQuery,
  tagList,
  toCommit,
  toFileChange,
  toTreeEntry,
  treeList,
  treeQuery,
  treeStatus,
  verified,
} from '../schemas/commit.ts';
import { atProject, pathOf, projectParam, revName } from '../schemas/common.ts';

export const listCommits = jsonRoute('GET /projects/:pid/commits', {
  summary: 'List commits of main, newest first',
  params: atProject,
  query: logQuery,
  response: commitList,
  codes: ['project_not_found', 'path_refused'],
  handle: async ({ params, query }, { vault }) => {
    const { path: _path, path_b64: _bytes, ...rest } = query;
    const page = await vault.log(params.pid, withoutUndefined({ ...rest, path: pathOf(query) }));
    return { ...page, items: page.items.map(toCommit) };
  },
});

export const showCommit = jsonRoute('GET /projects/:pid/commits/:rev', {
  summary: 'Show a commit with the files it changed',
  params: z.strictObject({ pid: projectParam, rev: revName }),
  response: commitDetail,
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found'],
  handle: async ({ params }, { vault }) => {
    const { commit, files } = await vault.show(params.pid, params.rev);
    return { ...toCommit(commit), files: files.map(toFileChange) };
  },
});

export const listTags = jsonRoute('GET /projects/:pid/tags', {
  summary: 'List tags, newest first',
  params: atProject,
  response: tagList,
  codes: ['project_not_found'],
  handle: async ({ params }, { vault }) => {
    const tags = await vault.listTags(params.pid);
    return { items: tags.toSorted((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0)) };
  },
});

export const listTree = jsonRoute('GET /projects/:pid/tree', {
  summary: 'List a folder of a revision',
  params: atProject,
  query: treeQuery,
  response: treeList,
  codes: ['project_not_found', 'path_refused', 'ref_invalid', 'ref_not_found', 'not_found'],
  handle: async ({ params, query }, { vault }) => {
    const entries = await vault.tree(params.pid, query.ref, pathOf(query) ?? ROOT);
    return { items: entries.map(toTreeEntry) };
  },
});

export const getManifest = jsonRoute('GET /projects/:pid/archive/manifest', {
  summary: 'List what an archive of a revision holds, with the size and sha256 of each file',
  params: atProject,
  query: manifestQuery,
  response: manifest,
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found'],
  handle: async ({ params, query, signal }, { vault }) => {
    const { files, ...rest } = await vault.manifest(params.pid, query.ref, signal);
    return { ...rest, files: files.map(({ path, ...file }) => ({ ...pathText(path), ...file })) };
  },
});

export const verifyProject = jsonRoute('POST /projects/:pid/verify', {
  summary: 'Check the repository whole: every object, and refs against the record',
  params: atProject,
  response: verified,
  codes: ['project_not_found'],
  handle: ({ params, signal }, { vault }) => vault.verify(params.pid, signal),
});

const ROOT = '' as BytePath;

export const getStatus = jsonRoute('GET /projects/:pid/status', {
  summary: 'Show what differs between the folder and HEAD; ledgers that only grew do not count',
  params: atProject,
  response: treeStatus,
  codes: ['project_not_found'],
  etag: ({ snapshot }) => snapshot,
  handle: async ({ params }, { vault }) => {
    const { dirty, files, snapshot } = await vault.status(params.pid);
    return { dirty, files: files.map(toFileChange), snapshot };
  },
});
