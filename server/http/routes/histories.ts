import { Readable } from 'node:stream';
import { bytePathFromText } from '../../domain/byte-path.ts';
import { BUCKET_CODES, downloadRoute, ROUTE_BASES } from '../route.ts';
import { pathOf } from '../schemas/common.ts';
import { atPoint, namedPath } from '../schemas/workspace-request.ts';

export const readHistory = downloadRoute('GET /workspaces/:ws/checkpoints/:id/history', {
  base: ROUTE_BASES[1],
  summary: 'Download the git history of a repository as a point holds it: a git bundle, encrypted in the age format',
  params: atPoint,
  query: namedPath,
  types: ['application/octet-stream'],
  codes: ['workspace_not_found', 'point_not_found', 'not_found', 'path_refused', 'store_damaged', ...BUCKET_CODES],
  handle: async ({ params, query, signal }, { workspaces }) => {
    const path = pathOf(query) ?? bytePathFromText('');
    const { content } = await workspaces.use(params.ws, (found) => found.openHistory(params.id, path, signal));
    return {
      type: 'application/octet-stream',
      content: Readable.from(content, { objectMode: false }),
      filename: `${params.id}.bundle.age`,
    };
  },
});
