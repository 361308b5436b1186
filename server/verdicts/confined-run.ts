import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessRequest } from '../io/process-request.ts';
import { removeTree } from '../io/remove-tree.ts';
import { callEnvironment, type NotedCall, type ProcessRecord, type Sandbox } from '../sandbox/index.ts';

/** What all runs share; the app makes it once. */
export interface RunSetting {
  readonly sandbox: Sandbox;
  /** Absolute path of a folder for the runs' temporary homes and files. */
  readonly tmp: string;
  /** Where the processes started for a project are noted, by the project's folder. */
  readonly processes: (root: string) => ProcessRecord;
}

export interface RunLimits {
  readonly wall_ms: number;
  readonly output_bytes: number;
}

/** Temporary folders of one run, and how its programs are started. */
export interface ConfinedRun {
  /** Without links, as the programs see it. */
  readonly root: string;
  /** Folder of everything temporary. */
  readonly folder: string;
  /** A folder for reports, which the programs may write. */
  readonly reports: string;
  /** What a program is started with. */
  request(start: ProgramStart): ProcessRequest;
  /** Ends the run: its temporary folders go, its processes are no longer noted. */
  close(): Promise<void>;
}

interface ProgramStart {
  /** The unit whose folder it may write; absent where it may write temporary files only. */
  readonly unit?: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly network: 'own' | 'host';
  readonly env?: Readonly<Record<string, string>>;
}

/** Makes the temporary folders of a run. Each program gets a marker of its own, noted before it is started. */
export function openRun(
  setting: RunSetting,
  { root, name }: { readonly root: string; readonly name: string },
): ConfinedRun {
  const { sandbox } = setting;
  const real = realpathSync(root);
  const folder = realpathSync(mkdtempSync(join(setting.tmp, 'devloop-run-')));
  const [home, tmp, reports] = [join(folder, 'home'), join(folder, 'tmp'), join(folder, 'reports')];
  for (const path of [home, tmp, reports]) mkdirSync(path);
  const record = setting.processes(root);
  const noted: NotedCall[] = [];
  const request = ({ unit, argv, cwd, network, env }: ProgramStart): ProcessRequest => {
    const own = unit === undefined ? [] : [join(real, 'units', unit)];
    const bounds = {
      root: real,
      writable: [...own, folder],
      protected: own.flatMap((path) => SERVER_FILES.map((file) => join(path, file))),
      hidden: PROJECT_SECRETS.map((file) => join(real, file)),
    };
    const call = record.open({ call: name, marker: randomBytes(16).toString('hex') });
    noted.push(call);
    return {
      argv: sandbox.confine({ argv, cwd, network, ...bounds }),
      cwd,
      env: callEnvironment({ shim: sandbox.shim, path: sandbox.path, home, tmp }, env),
      marker: call.marker,
      onStart: call.started,
    };
  };
  return {
    root: real,
    folder,
    reports,
    request,
    close: async () => {
      for (const call of noted) call.close();
      await removeTree(folder);
    },
  };
}

/** Below a unit's folder, and the server's own: the tests may write beside them. */
const SERVER_FILES = ['runs', 'coder.log', 'contract.json'];
/** Below a project's folder, and no business of its programs. */
const PROJECT_SECRETS = ['.git', 'agent-state', 'timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson', 'stream.log'];
