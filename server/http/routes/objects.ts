import { BUCKET_CODES, jsonRoute, ROUTE_BASES } from '../route.ts';
import { movedObjects, objectStatus } from '../schemas/object-answer.ts';
import { atWorkspace, objectMove } from '../schemas/workspace-request.ts';

const base = ROUTE_BASES[1];

export const listObjects = jsonRoute('GET /workspaces/:ws/objects', {
  base,
  summary: 'Tell where the large files are kept, and what of that no point needs',
  params: atWorkspace,
  response: objectStatus,
  codes: ['workspace_not_found', 'store_damaged', ...BUCKET_CODES],
  handle: ({ params, signal }, { workspaces }) => workspaces.use(params.ws, (found) => found.objects(signal)),
});

export const moveObjects = jsonRoute('POST /workspaces/:ws/objects', {
  base,
  summary:
    'Move the large files to the folder or to the bucket: copied, read back, then used; goes on where one broke off',
  params: atWorkspace,
  body: objectMove,
  response: movedObjects,
  codes: ['workspace_not_found', 'config_invalid', 'store_damaged', ...BUCKET_CODES, 'disk_full', 'busy'],
  starts: true,
  handle: ({ params, body, signal }, { workspaces }) =>
    workspaces.use(params.ws, (found) => found.moveObjects(body.to, signal)),
});
