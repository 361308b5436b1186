import { withoutUndefined } from '../../domain/without-undefined.ts';
import { contentType } from '../content-type.ts';
import { downloadRoute } from '../route.ts';
import { archiveQuery, diffBody, diffQuery, toFileChange, treeQuery } from '../schemas/commit.ts';
import { atProject, pathOf, requiredPath } from '../schemas/common.ts';

const DIFF_TYPES = ['application/json', 'text/x-diff'] as const;
const ARCHIVE_TYPES = { zip: 'application/zip', tar: 'application/x-tar', 'tar.gz': 'application/gzip' } as const;

export const readFile = downloadRoute('GET /projects/:pid/file', {
  summary: 'Read a file of a revision: UTF-8 text as text, anything else as bytes, and never as a page',
  params: atProject,
  query: treeQuery,
  types: ['text/plain', 'application/octet-stream'],
  codes: ['project_not_found', 'path_refused', 'ref_invalid', 'ref_not_found', 'not_found'],
  handle: async ({ params, query }, { vault }) => {
    const { oid, content } = await vault.readFile(params.pid, query.ref, requiredPath(query));
    return { type: contentType(content), content, etag: oid };
  },
});

export const getDiff = downloadRoute('GET /projects/:pid/diff', {
  summary: 'Compare two revisions, attempts or rescues; as text/x-diff or JSON, by Accept',
  params: atProject,
  query: diffQuery,
  types: DIFF_TYPES,
  schema: diffBody,
  codes: ['project_not_found', 'path_refused', 'ref_invalid', 'ref_not_found'],
  handle: async ({ params, query, accepts }, { vault }) => {
    const { from, to } = query;
    const { patch, files } = await vault.diff(params.pid, withoutUndefined({ from, to, path: pathOf(query) }));
    if (accepts(DIFF_TYPES) === 'text/x-diff') return { type: 'text/x-diff; charset=utf-8', content: patch };
    const body = { patch: new TextDecoder().decode(patch), files: files.map(toFileChange) };
    return { type: 'application/json; charset=utf-8', content: JSON.stringify(body) };
  },
});

export const getStatusDiff = downloadRoute('GET /projects/:pid/status/diff', {
  summary: 'Show line by line what differs between the folder and HEAD; as text/x-diff or JSON, by Accept',
  params: atProject,
  types: DIFF_TYPES,
  schema: diffBody,
  codes: ['project_not_found'],
  handle: async ({ params, accepts }, { vault }) => {
    const { patch, files } = await vault.statusDiff(params.pid);
    if (accepts(DIFF_TYPES) === 'text/x-diff') return { type: 'text/x-diff; charset=utf-8', content: patch };
    const body = { patch: new TextDecoder().decode(patch), files: files.map(toFileChange) };
    return { type: 'application/json; charset=utf-8', content: JSON.stringify(body) };
  },
});

export const getArchive = downloadRoute('GET /projects/:pid/archive', {
  summary: 'Download the tracked files of a revision, byte for byte',
  params: atProject,
  query: archiveQuery,
  types: Object.values(ARCHIVE_TYPES),
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found', 'findings_open'],
  handle: async ({ params, query, signal }, { vault }) => {
    const { ref, format, prefix } = query;
    return {
      type: ARCHIVE_TYPES[format],
      content: await vault.archive(params.pid, ref, withoutUndefined({ format, prefix, signal })),
      filename: `${params.pid}-${ref.replaceAll('/', '-')}.${format}`,
    };
  },
});

export const getBundle = downloadRoute('GET /projects/:pid/bundle', {
  summary: 'Download the whole history as a git bundle',
  params: atProject,
  types: ['application/x-git-bundle'],
  codes: ['project_not_found', 'findings_open'],
  handle: async ({ params, signal }, { vault }) => ({
    type: 'application/x-git-bundle',
    content: await vault.bundle(params.pid, { signal }),
    filename: `${params.pid}.bundle`,
  }),
});
