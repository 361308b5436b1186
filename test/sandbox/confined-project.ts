import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { ProcessResult } from '../../server/io/process-request.ts';
import { runProcess } from '../../server/io/run-process.ts';
import { callEnvironment, createSandbox, type Sandbox } from '../../server/sandbox/index.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** Files that a confined program must neither see nor change, and some that it may read; paths from the scratch folder. */
const FILES: Readonly<Record<string, string>> = {
  'data/.devloop/token': 'SECRET token',
  'data/companies/default/projects/p-2/project.json': 'SECRET neighbour',
  'home/.ssh/id_ed25519': 'SECRET key',
  'project/.git/HEAD': 'SECRET ref: refs/heads/main',
  'project/.git/config': '[core]',
  'project/timeline.ndjson': 'SECRET {"seq":1}',
  'project/project.json': '{"name":"p"}',
  'project/units/other/code/a.js': 'other',
  'project/units/todo/code/a.js': 'mine',
  'project/units/todo/coder.log': 'log',
  'project/units/todo/runs/r-1/result.json': '{}',
};

export interface ConfinedProject {
  readonly scratch: string;
  readonly root: string;
  readonly sandbox: Sandbox;
  /** The argument list and environment of a program in its bounds: it may write units/todo and its own temporary folder. */
  confine(argv: readonly string[]): {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  run(argv: readonly string[], variables?: Readonly<Record<string, string>>): Promise<ProcessResult>;
  /** Names of files that are not as they were, but for those that the program may write. */
  changed(): readonly string[];
}

/** A project inside of a data folder, with things around it that a program must not reach. */
export async function confinedProject(t: TestContext): Promise<ConfinedProject> {
  const scratch = scratchFolder(t);
  const place = (path: string): string =>
    join(scratch, path.replace(/^project\//, 'data/companies/default/projects/p-1/'));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(place(path)), { recursive: true });
    writeFileSync(place(path), content);
  }
  const root = place('project/').replace(/\/$/, '');
  const tmp = join(scratch, 'tmp');
  mkdirSync(tmp);
  const sandbox = await createSandbox({
    mode: 'required',
    path: process.env.PATH ?? '',
    hidden: [join(scratch, 'data'), join(scratch, 'home')],
    readable: [],
    shim: join(scratch, 'shim'),
  });
  const own = join(root, 'units/todo');
  const confine = (argv: readonly string[]) => ({
    argv: sandbox.confine({
      argv,
      cwd: own,
      root,
      writable: [own, tmp],
      protected: [join(own, 'coder.log'), join(own, 'runs'), join(own, 'absent')],
      hidden: [join(root, '.git'), join(root, 'timeline.ndjson')],
      network: 'own',
    }),
    env: callEnvironment({ shim: sandbox.shim, path: sandbox.path, home: tmp, tmp }),
  });
  return {
    scratch,
    root,
    sandbox,
    confine,
    run: (argv, variables = {}) => {
      const { env, ...command } = confine(argv);
      const limits = { wall_ms: 20_000, output_bytes: 1_000_000 };
      return runProcess({
        ...command,
        cwd: '/',
        env: { ...env, ...variables },
        marker: randomBytes(16).toString('hex'),
        limits,
      });
    },
    changed: () => Object.keys(FILES).filter((path) => readFileSync(place(path), 'utf8') !== FILES[path]),
  };
}
