import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { parseUnitId } from '../../server/domain/ids.ts';
import type { UnitReport } from '../../server/domain/verdicts.ts';
import { createSandbox, processRecords, type SandboxMode } from '../../server/sandbox/index.ts';
import { createVerdicts, type Verdicts } from '../../server/verdicts/index.ts';
import { scratchFolder } from './scratch-folder.ts';

export interface VerdictsUnderTest {
  readonly verdicts: Verdicts;
  /** The data folder, and a project's folder in it. */
  readonly data: string;
  readonly root: string;
  readonly tmp: string;
  readonly layers: readonly string[];
  write(path: string, content: string): void;
  /** Runs the tests of unit `todo`. */
  runUnit(command: readonly string[], options?: UnitOptions): Promise<UnitReport>;
}

export interface UnitOptions {
  readonly promised?: readonly string[];
  readonly wall_ms?: number;
  readonly output_bytes?: number;
  readonly signal?: AbortSignal;
  readonly stdout_file?: string;
}

/** A project with files on the disk and the verdicts made in it. */
export async function verdictsUnderTest(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  mode: SandboxMode = 'off',
): Promise<VerdictsUnderTest> {
  const scratch = scratchFolder(t);
  const data = join(scratch, 'data');
  const root = join(data, 'companies/default/projects/p-12345678');
  const write = (path: string, content: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  mkdirSync(join(root, '.git'), { recursive: true });
  mkdirSync(join(scratch, 'tmp'));
  for (const [path, content] of Object.entries(files)) write(path, content);
  const sandbox = await createSandbox({
    mode,
    path: process.env.PATH ?? '',
    hidden: [data],
    readable: [],
    shim: join(scratch, 'shim'),
  });
  const tmp = join(scratch, 'tmp');
  const verdicts = createVerdicts({ sandbox, tmp, processes: processRecords(join(data, '.devloop')).forProject });
  return {
    verdicts,
    data,
    root,
    tmp,
    layers: sandbox.layers,
    write,
    runUnit: (command, { promised = [], wall_ms = 30_000, output_bytes = 1_000_000, signal, stdout_file } = {}) =>
      verdicts.runUnit({
        root,
        unit: parseUnitId('todo'),
        command,
        promised,
        limits: { wall_ms, output_bytes },
        signal: signal ?? new AbortController().signal,
        ...(stdout_file === undefined ? {} : { stdout_file }),
      }),
  };
}
