import { traceRecord } from '../../domain/agent-trace.ts';
import type { CommitInfo } from '../../domain/commit.ts';
import type { ProjectId } from '../../domain/ids.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { jsonRoute } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { traceList, traceQuery } from '../schemas/trace.ts';
import type { VaultService } from '../services.ts';

export const readTrace = jsonRoute('GET /projects/:pid/trace', {
  summary: 'Say which lines each commit of an agent added, and which model wrote them, newest first',
  params: atProject,
  query: traceQuery,
  response: traceList,
  codes: ['project_not_found'],
  handle: async ({ params, query }, { vault }) => {
    const { format: _format, ...page } = query;
    const { items, next } = await vault.log(params.pid, withoutUndefined(page));
    const records = await Promise.all(items.map((commit) => recordOf(vault, params.pid, commit)));
    return withoutUndefined({ items: records.filter((record) => record !== undefined), next });
  },
});

async function recordOf(vault: VaultService, pid: ProjectId, commit: CommitInfo) {
  const [from] = commit.parents;
  return from === undefined ? undefined : traceRecord(commit, await vault.diff(pid, { from, to: commit.sha }));
}
