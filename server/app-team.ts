import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type AgentTrial, tryAgent } from './agents/index.ts';
import { ROLES, type Role } from './domain/roles.ts';
import { roleTeam, type Team } from './domain/team.ts';
import { removeTree } from './io/remove-tree.ts';
import { createSandbox, processRecords, type SandboxMode } from './sandbox/index.ts';

export interface TrialOptions {
  /** Absolute path of templates/. */
  readonly templates: string;
  readonly sandbox: SandboxMode;
  /** The host's PATH. */
  readonly path: string;
  /** The person's home folder, hidden from confined programs. */
  readonly home?: string;
  /** Absolute paths of folders in it that confined programs see all the same. */
  readonly readable?: readonly string[];
  /** Reads a secret by the name of its environment variable. */
  readonly secret: (name: string) => string | undefined;
}

/** What came of an entry of a team. */
export interface TeamTrial extends AgentTrial {
  readonly roles: readonly Role[];
  readonly driver: string;
}

/** Tries each agent of a team once, as its calls would start it, in a folder that is gone afterwards. @throws DevLoopError config_invalid where the sandbox is required and does not work. */
export async function tryTeam(team: Team, options: TrialOptions): Promise<readonly TeamTrial[]> {
  const { path, home, secret, templates, readable = [] } = options;
  const tmp = mkdtempSync(join(tmpdir(), 'devloop-trial-'));
  try {
    const root = join(tmp, 'companies', 'default', 'projects', 'p-trialtri');
    mkdirSync(root, { recursive: true });
    const sandbox = await createSandbox({
      mode: options.sandbox,
      path,
      hidden: home === undefined ? [] : [home],
      readable: [dirname(dirname(process.execPath)), ...readable],
      shim: join(tmp, 'shim'),
    });
    const records = processRecords(join(tmp, '.devloop'));
    const processes = (folder: string) => records.forProject(folder);
    const setting = { sandbox, tmp, processes, secret, demos: join(templates, 'demo'), root };
    const trials: TeamTrial[] = [];
    for (const roles of Map.groupBy(ROLES, (role) => JSON.stringify(roleTeam(team, role))).values()) {
      const entry = roleTeam(team, roles[0] ?? 'pm');
      trials.push({ roles, driver: entry.driver, ...(await tryAgent(entry, setting)) });
    }
    return trials;
  } finally {
    await removeTree(tmp);
  }
}
