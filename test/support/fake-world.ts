import type { AgentContext, AgentOutcome, RoleInput } from '../../server/domain/agent-call.ts';
import { DevLoopError } from '../../server/domain/errors.ts';
import { type CompanyId, type ProjectId, parseProjectId, parseRunId } from '../../server/domain/ids.ts';
import type { Role } from '../../server/domain/roles.ts';
import type { IntegrationReport, UnitReport } from '../../server/domain/verdicts.ts';
import type { LedgerEntry, LoopPorts, ProjectFolder, UnitRunInput } from '../../server/loop/ports.ts';
import { fakeAgent } from './fake-agent.ts';
import { FakeRepository, fakeVault } from './fake-vault.ts';
import { integrationReport, unitReport } from './loop-story.ts';

/** One project of a fake data folder. */
export class FakeProject {
  readonly folder: ProjectFolder;
  readonly repository = new FakeRepository();
  readonly journal: unknown[] = [];
  readonly ledger: { readonly position: number; readonly entry: LedgerEntry }[] = [];
  /** What each call saw of the files when it was first made, by role, unit, round and attempt. */
  readonly seen = new Map<string, string>();

  constructor(folder: ProjectFolder) {
    this.folder = folder;
  }

  get kinds(): readonly string[] {
    return this.ledger.flatMap(({ entry }) => entry.events.map(({ kind }) => kind));
  }
}

export interface Script {
  agent(call: FakeCall): Promise<AgentOutcome>;
  unit(input: UnitRunInput, project: FakeProject): UnitReport;
  integration(project: FakeProject): IntegrationReport;
}

export interface FakeCall {
  readonly role: Role;
  readonly input: RoleInput;
  readonly context: AgentContext;
  readonly project: FakeProject;
}

/** A data folder in memory. What is in it outlives the servers; `ports` gives those of one server's life. */
export class FakeWorld {
  readonly projects = new Map<ProjectId, FakeProject>();
  readonly warnings: string[] = [];
  /** What finds the disk full. */
  readonly full = new Set<'journal' | 'ledgers'>();
  script: Script = demoScript();
  #ids = 0;
  #clock = Date.UTC(2026, 0, 1);

  get only(): FakeProject {
    const [project] = this.projects.values();
    if (project === undefined) throw new Error('there is no project');
    return project;
  }

  project(pid: ProjectId): FakeProject {
    const project = this.projects.get(pid);
    if (project === undefined) throw new DevLoopError('project_not_found', `no project ${pid}`);
    return project;
  }

  /** Ports of a server that dies before its operation number `dies`: from then on nothing it does has any effect. */
  ports(life: Life = new Life()): LoopPorts {
    const op = (name: string) => life.op(name);
    const vaults = new Map<ProjectId, LoopPorts['vault']>();
    const vaultOf = (pid: ProjectId) => {
      const vault = vaults.get(pid) ?? fakeVault(() => this.project(pid).repository, op);
      vaults.set(pid, vault);
      return vault;
    };
    return {
      vault: new Proxy({} as LoopPorts['vault'], {
        get:
          (_target, name: keyof LoopPorts['vault']) =>
          (pid: ProjectId, ...args: never[]) =>
            (vaultOf(pid)[name] as (pid: ProjectId, ...args: never[]) => unknown)(pid, ...args),
      }),
      agents: {
        callAgent: async (role, input, context) => {
          await op(`agent.${role}`);
          const outcome = await this.script.agent({ role, input, context, project: this.project(context.pid) });
          await op(`agent.${role}.ended`);
          return outcome;
        },
      },
      verdicts: {
        runUnit: async (input) => {
          await op('runUnit');
          return this.script.unit(input, this.byRoot(input.root));
        },
        runIntegration: async ({ root }) => {
          await op('runIntegration');
          return this.script.integration(this.byRoot(root));
        },
      },
      ledgers: {
        append: async (pid, position, entry) => {
          await op('ledgers.append');
          if (this.full.has('ledgers')) throw new DevLoopError('disk_full', 'no room for the ledgers');
          const { ledger, repository } = this.project(pid);
          if (position <= (ledger.at(-1)?.position ?? 0)) return;
          ledger.push({ position, entry });
          const lines = entry.events.map((event) => `${JSON.stringify(event)}\n`).join('');
          repository.disk.set('timeline.ndjson', (repository.disk.get('timeline.ndjson') ?? '') + lines);
        },
        position: async (pid) => this.project(pid).ledger.at(-1)?.position ?? 0,
        publish: () => undefined,
        open: async () => ({ repaired: [] }),
        close: async () => undefined,
      },
      journal: {
        load: async (pid) => structuredClone(this.project(pid).journal),
        append: async (pid, record) => {
          await op('journal.append');
          if (this.full.has('journal')) throw new DevLoopError('disk_full', 'no room for the journal');
          this.project(pid).journal.push(structuredClone(record));
        },
      },
      projects: {
        list: async () => [...this.projects.values()].map(({ folder }) => folder),
        find: async (pid) => this.projects.get(pid)?.folder,
        create: async (cid: CompanyId, pid) => {
          const folder = { pid, cid, root: `/data/${pid}` };
          this.projects.set(pid, new FakeProject(folder));
          return folder;
        },
        remove: async (pid) => {
          this.projects.delete(pid);
        },
        read: async (pid, path) => {
          const content = this.project(pid).repository.disk.get(path);
          return content === undefined ? undefined : new TextEncoder().encode(content);
        },
        write: async (pid, path, content) => {
          await op(`write ${path.replace(/r-\d+/, 'RUN')}`);
          this.project(pid).repository.disk.set(path, String(content));
        },
        note: async (pid, path, content) => {
          await op(`note ${path.replace(/calls\/[^/]+/, 'calls/CALL')}`);
          this.project(pid).repository.disk.set(path, content);
        },
        append: async () => {
          throw new Error('nothing is appended');
        },
        ignoreTemplate: async () => '/agent-state/\n',
      },
      clock: { now: () => this.#now() },
      ids: {
        projectId: () => parseProjectId(`p-${String(++this.#ids).padStart(8, '0')}`),
        runId: () => parseRunId(`r-${String(++this.#ids).padStart(16, '0')}`),
      },
      log: { warn: (message, data) => this.warnings.push(`${message} ${JSON.stringify(data)}`) },
    };
  }

  #now(): Date {
    this.#clock += 1000;
    return new Date(this.#clock);
  }

  byRoot(root: string): FakeProject {
    return this.project(parseProjectId(root.split('/').at(-1)));
  }
}

/** How long a server lives, counted in operations on what outlives it. */
export class Life {
  readonly ops: string[] = [];
  readonly dies: number;
  readonly died: Promise<void>;
  readonly #watch: (op: number) => void;
  #end: () => void = () => undefined;

  /** `watch` is told the number of each operation before it is done. */
  constructor(dies = Number.POSITIVE_INFINITY, watch: (op: number) => void = () => undefined) {
    this.dies = dies;
    this.#watch = watch;
    this.died = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async op(name: string): Promise<void> {
    this.ops.push(name);
    this.#watch(this.ops.length);
    await new Promise((resolve) => setImmediate(resolve));
    if (this.ops.length < this.dies) return;
    this.#end();
    await new Promise(() => undefined);
  }
}

/** A store whose first attempt is red and whose first integration fails; everything else goes well. */
export function demoScript(): Script {
  return {
    agent: fakeAgent,
    unit: ({ unit }, { repository }) => {
      const code = repository.disk.get(`units/${unit}/code/main.js`) ?? '';
      return unitReport(unit === 'store' && code === 'store 1.1' ? 'red' : 'green');
    },
    integration: ({ repository }) =>
      integrationReport(repository.disk.get('units/store/code/main.js')?.startsWith('store 1.') ? 'fail' : 'pass'),
  };
}
