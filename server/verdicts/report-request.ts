import { basename, join } from 'node:path';
import { readJest } from './readers/jest.ts';
import { readJunit } from './readers/junit.ts';
import type { Reader } from './readers/reading.ts';
import { readTap } from './readers/tap.ts';

interface ReportRequest {
  /** The command as it is started: the same tests, and a report besides what it prints. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where reports appear, the surest first. */
  readonly reports: readonly ReportFile[];
}

export interface ReportFile {
  readonly path: string;
  readonly runner: string;
  readonly read: Reader;
}

/**
 * Asks a test command for a report that a program can read. A runner that is named outright gets its own option;
 * pytest hears it through its variable, and any other may write JUnit XML to the path in DEVLOOP_JUNIT_FILE.
 * @param scripts those of the unit's package.json: `npm test` is looked through where its script is one plain command.
 */
export function requestReport(
  command: readonly string[],
  { folder, scripts }: { readonly folder: string; readonly scripts: Readonly<Record<string, string>> },
): ReportRequest {
  const file = (name: string): string => join(folder, name);
  const env = {
    DEVLOOP_JUNIT_FILE: file('junit.xml'),
    PYTEST_ADDOPTS: `--junitxml='${file('pytest.xml')}' -o junit_family=xunit1`,
  };
  const always = [
    { path: file('pytest.xml'), runner: 'pytest', read: readJunit },
    { path: file('junit.xml'), runner: 'junit', read: readJunit },
  ];
  const asked = askRunner(command, file) ?? askThroughScript(command, scripts, file);
  if (asked === undefined) return { argv: command, env, reports: always };
  const reports = asked.report === undefined ? always : [asked.report, ...always];
  return { argv: asked.argv, env, reports };
}

interface Asked {
  readonly argv: readonly string[];
  readonly report?: ReportFile;
}

type FileNamer = (name: string) => string;

function askRunner(command: readonly string[], file: FileNamer): Asked | undefined {
  const [program = '', ...args] = command;
  const name = basename(program);
  if (name === 'node' && args.includes('--test') && !args.some((arg) => arg.startsWith('--test-reporter'))) {
    const options = nodeReporters(file('node.tap'));
    return {
      argv: [program, ...options, ...args],
      report: { path: file('node.tap'), runner: 'node:test', read: readTap },
    };
  }
  if (name === 'go' && args[0] === 'test' && !args.includes('-json')) {
    return { argv: [program, 'test', '-json', ...args.slice(1)] };
  }
  const options = appended(command, file);
  return options && { argv: [...command, ...options.options], report: options.report };
}

/** What people read still goes to the standard output. */
const nodeReporters = (path: string): readonly string[] => [
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  `--test-reporter-destination=${path}`,
];

interface Options {
  readonly options: readonly string[];
  readonly report: ReportFile;
}

/** Runners that take their options at the end, also after `npx`. */
function appended(command: readonly string[], file: FileNamer): Options | undefined {
  const at = ['npx', 'pnpx', 'bunx'].includes(basename(command[0] ?? '')) ? 1 : 0;
  const name = basename(command[at] ?? '');
  if (command.some((arg) => /^--(reporter|outputFile|json)\b/.test(arg))) return undefined;
  if (name === 'vitest') {
    const path = file('vitest.xml');
    const options = ['--reporter=default', '--reporter=junit', `--outputFile.junit=${path}`];
    return { options, report: { path, runner: 'vitest', read: readJunit } };
  }
  if (name === 'jest') {
    const path = file('jest.json');
    return { options: ['--json', `--outputFile=${path}`], report: { path, runner: 'jest', read: readJest } };
  }
  return undefined;
}

/** `npm test`, `npm run NAME`, also of pnpm and yarn, whose script is a plain command: options after `--` go to it. */
function askThroughScript(
  command: readonly string[],
  scripts: Readonly<Record<string, string>>,
  file: FileNamer,
): Asked | undefined {
  const [program = '', ...args] = command;
  if (!['npm', 'pnpm', 'yarn'].includes(basename(program)) || args.includes('--')) return undefined;
  const name = args[0] === 'run' ? args[1] : args[0] === 't' ? 'test' : args[0];
  const script = scripts[name ?? ''];
  if (script === undefined || !/^[\w@%+=:,./\- ]+$/.test(script)) return undefined;
  const options = appended(script.trim().split(/ +/), file);
  const separator = basename(program) === 'npm' ? ['--'] : [];
  return options && { argv: [...command, ...separator, ...options.options], report: options.report };
}
