import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspaces } from '../../server/workspace/index.ts';
import { type OwnedWorkspaceService, workspaceService } from '../../server/workspace-service.ts';
import { type HttpUnderTest, httpUnderTest, type Reply } from './http-under-test.ts';
import { plainComparer } from './plain-comparer.ts';
import { tempFolder } from './temp-folder.ts';
import { type WorkspaceLab, workspaceLab } from './workspace-place.ts';

/** The HTTP face over the real library, with a user's folder that is a workspace. */
export interface WorkspacesUnderTest extends WorkspaceLab {
  readonly http: HttpUnderTest;
  readonly service: OwnedWorkspaceService;
  /** The workspace's id. */
  readonly ws: string;
  readonly logged: string[];
  /** Below /api/workspaces/{ws}; asserts the status. */
  at(status: number, call: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function workspacesUnderTest(
  options: { readonly idle_ms?: number; readonly turns?: boolean } = {},
): Promise<WorkspacesUnderTest> {
  const folder = tempFolder();
  const lab = workspaceLab(folder.path);
  const logged: string[] = [];
  const service = workspaceService({
    workspaces: openWorkspaces(lab.options),
    turns: true,
    comparer: plainComparer(lab.options.stateDir),
    log: { error: (message, data) => logged.push(`${message} ${String(data?.error)}`) },
    ...options,
  });
  const http = await httpUnderTest({ workspaces: service, limits: { refused_burst: 1e9 } });
  const { id: ws } = (await http.api('POST', '/workspaces', { path: lab.root })).body;
  return {
    ...lab,
    http,
    service,
    ws,
    logged,
    at: async (status, call, body, headers) => {
      const [method = '', path = ''] = call.split(' ');
      const reply = await http.api(method, `/workspaces/${ws}${path}`, body, headers);
      if (reply.status !== status) throw new Error(`${call}: ${reply.status} ${reply.text}`);
      return reply;
    },
    [Symbol.asyncDispose]: async () => {
      await http[Symbol.asyncDispose]();
      await service.close();
      await lab.workspace.close();
      rmSync(join(folder.path), { recursive: true, force: true });
    },
  };
}
