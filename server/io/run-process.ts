import { ChildRun } from './child-run.ts';
import type { ProcessRequest, ProcessResult, RunningProcess } from './process-request.ts';

/**
 * Runs a program to its own end or a limit's, and then ends all that it started and left: its process group, its
 * descendants, and whatever carries the marker.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  return startProcess(request).done;
}

/** Starts a program that is talked to or left running, under the same rules as `runProcess`. */
export function startProcess(request: ProcessRequest): RunningProcess {
  const run = new ChildRun(request);
  return {
    pid: run.start(),
    done: run.finish(),
    write: (text) => run.write(text),
    closeStdin: () => run.closeStdin(),
    end: () => run.end('aborted'),
  };
}
