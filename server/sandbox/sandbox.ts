import { realpathSync } from 'node:fs';
import { DevLoopError } from '../domain/errors.ts';
import { hasCode } from '../io/io-error.ts';
import { bubblewrapArguments, type Command } from './bubblewrap.ts';
import { writeGitShim } from './git-shim.ts';
import { probeBubblewrap } from './probe.ts';

/** `auto` uses bubblewrap where it works, `required` refuses to go on without it, `off` leaves it out. */
export type SandboxMode = 'required' | 'auto' | 'off';

export interface SandboxOptions {
  readonly mode: SandboxMode;
  /** The host's PATH. */
  readonly path: string;
  /** Absolute paths of folders that no confined program sees, but for the project that it works on: the data folder, the person's home. */
  readonly hidden: readonly string[];
  /** Absolute paths below hidden folders that are shown read-only all the same: toolchains. */
  readonly readable: readonly string[];
  /** Absolute path of a folder of the server's own, for the `git` that refuses. */
  readonly shim: string;
}

export interface Sandbox {
  /** What holds a confined program, strongest last: `environment`, `git-shim`, `bubblewrap`. */
  readonly layers: readonly string[];
  /** Why there is no bubblewrap layer, where there is none. */
  readonly why_not?: string;
  readonly shim: string;
  /** The host's PATH. */
  readonly path: string;
  /** Puts the bounds that this system has around a command. Throws path_refused for a bound that is a link or lies below one. */
  confine(command: Command): readonly string[];
}

/** Finds out once what this system can do. Throws config_invalid where bubblewrap is required and does not work, or a folder is not there. */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { mode, path, shim } = options;
  const git = writeGitShim(shim);
  const base = ['environment', 'git-shim'];
  if (mode === 'off') return { layers: base, why_not: 'switched off', shim, path, confine: (command) => command.argv };
  const probe = await probeBubblewrap(path);
  if (probe.kind === 'works') {
    const places = {
      program: probe.program,
      hidden: real(options.hidden),
      shown: real([...options.readable, shim]),
      git,
      path,
    };
    return { layers: [...base, 'bubblewrap'], shim, path, confine: (command) => bubblewrapArguments(places, command) };
  }
  if (mode === 'auto') return { layers: base, why_not: probe.why, shim, path, confine: (command) => command.argv };
  throw new DevLoopError('config_invalid', `the sandbox is required and does not work: ${probe.why}`, {
    hint: 'Install bubblewrap, or set the sandbox to off.',
  });
}

function real(paths: readonly string[]): readonly string[] {
  return paths.map((path) => {
    try {
      return realpathSync(path);
    } catch (error) {
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error;
      throw new DevLoopError('config_invalid', `a folder that the sandbox is to hide or show is not there: ${path}`);
    }
  });
}
