/** What an agent asks to do, as far as it tells. */
export interface AskedAction {
  /** read, edit, delete, move, search, execute, think, fetch, switch_mode, other. */
  readonly kind: string;
  /** Paths below the project's folder; undefined stands for one that is outside or hidden. */
  readonly paths: readonly (string | undefined)[];
  /** Text for a shell, or an argument list. */
  readonly command?: string | readonly string[];
}

export interface PolicyBounds {
  readonly inScope: (path: string) => boolean;
  /** True where a sandbox holds the agent to its write scope, whatever it is allowed. */
  readonly confined: boolean;
  readonly network: boolean;
  /** Why a command may not run: the command guard's word. */
  readonly refusal: (command: string | readonly string[]) => string | undefined;
}

export interface Decision {
  readonly allowed: boolean;
  readonly why: string;
}

/**
 * Decides on a permission request. Reading is allowed within the project, writing within the write scope; what names no path is
 * allowed only where a sandbox holds it. Commands are for the guard to judge.
 */
export function decidePermission(asked: AskedAction, bounds: PolicyBounds): Decision {
  if (asked.paths.includes(undefined)) return refuse('a path is outside of the project or hidden');
  switch (asked.kind) {
    case 'read':
    case 'search':
    case 'think':
      return allow('reading within the project');
    case 'edit':
    case 'delete':
    case 'move':
      return decideWrite(asked.paths, bounds);
    case 'execute':
      return decideCommand(asked.command, bounds);
    case 'fetch':
      return bounds.network ? allow('the team allows the network') : refuse('the team does not allow the network');
    default:
      return bounds.confined ? allow('held by the sandbox') : refuse(`${asked.kind} is not known to be harmless`);
  }
}

function decideWrite(paths: readonly (string | undefined)[], { inScope, confined }: PolicyBounds): Decision {
  const outside = paths.find((path) => path !== undefined && !inScope(path));
  if (outside !== undefined) return refuse(`${outside} is outside of the write scope`);
  if (paths.length > 0) return allow('within the write scope');
  return confined ? allow('held by the sandbox') : refuse('it does not say which files');
}

function decideCommand(command: AskedAction['command'], { confined, refusal }: PolicyBounds): Decision {
  if (command === undefined) return confined ? allow('held by the sandbox') : refuse('it does not say which command');
  const why = refusal(command);
  return why === undefined ? allow('the command guard has nothing against it') : refuse(why);
}

const allow = (why: string): Decision => ({ allowed: true, why });
const refuse = (why: string): Decision => ({ allowed: false, why });
