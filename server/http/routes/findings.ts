import { pathText } from '../../domain/byte-path.ts';
import { jsonRoute } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { allowedFinding, findingKey, findingList, toFinding } from '../schemas/finding.ts';

export const listFindings = jsonRoute('GET /projects/:pid/findings', {
  summary: 'List what looks like secrets in the commits, each once, and files that were not looked at',
  params: atProject,
  response: findingList,
  codes: ['project_not_found', 'vault_busy'],
  handle: async ({ params }, { vault }) => {
    const { findings, not_scanned } = await vault.findings(params.pid);
    return {
      items: findings.map(toFinding),
      not_scanned: not_scanned.map(({ path, ...left }) => ({ ...left, ...pathText(path) })),
    };
  },
});

export const allowFinding = jsonRoute('POST /projects/:pid/findings/allow', {
  summary: 'Let a finding out in exports: its file, and the same secrets in others',
  params: atProject,
  body: findingKey,
  response: allowedFinding,
  codes: ['project_not_found', 'not_found', 'vault_busy'],
  handle: async ({ params, body }, { vault }) => toFinding(await vault.allowFinding(params.pid, body)),
});
