import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';
import { projectApi } from '../api/project-api.ts';
import type { Project } from '../api/types.ts';
import { foldProject } from './fold-project.ts';
import { followProject, type Position } from './follow-project.ts';
import { type LiveAction, type LiveState, liveState, NOT_YET } from './live-state.ts';
import { whileSeen } from './while-seen.ts';

export interface LiveProject {
  readonly project: Project | undefined;
  readonly live: LiveState;
  /** Why it cannot be shown as it is now. */
  readonly problem: Problem | undefined;
  readonly reload: () => void;
}

/** Events tell that something changed, and the project is read anew soon after: bursts make one request. */
const SETTLE_MS = 150;
/** After what did not work this time. */
const PAUSE_MS = 2_000;

/** A project as it is, and everything that happened to it, followed live. */
export function useProject(pid: string): LiveProject {
  const [project, setProject] = useState<Project>();
  const [problem, setProblem] = useState<Problem>();
  const [live, tell] = useReducer<LiveState, LiveAction>(liveState, NOT_YET);
  const reloading = useRef<() => void>(() => {});
  useEffect(() => {
    const gone = new AbortController();
    const position: Position = { timeline: 0, stream: 0 };
    let last = 0;
    // What the timeline tells before the stream is open for the first time is older than the project as it was read.
    let opened = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const failed = (error: unknown) => {
      if (gone.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      setProblem(error);
      if (!error.final) timer ??= setTimeout(reload, PAUSE_MS);
    };
    const shown = (fresh: Project) => {
      if (gone.signal.aborted) return;
      setProject(fresh);
      setProblem(undefined);
    };
    const reload = () => {
      timer = undefined;
      projectApi.show(pid).then(shown, failed);
    };
    const onAction = (action: LiveAction) => {
      if (action.kind === 'told') {
        const news = action.events.filter(({ seq }) => seq > last);
        last = news.at(-1)?.seq ?? last;
        if (news.length > 0) timer ??= setTimeout(reload, SETTLE_MS);
        if (opened) setProject((known) => known && news.reduce(foldProject, known));
      }
      if (action.kind === 'opened') {
        opened = true;
        // What was asked for while the server went away was not answered.
        timer ??= setTimeout(reload, SETTLE_MS);
      }
      tell(action);
    };
    reloading.current = reload;
    reload();
    const stop = whileSeen((signal) => followProject({ pid, tell: onAction, signal, position }).catch(failed));
    return () => {
      gone.abort();
      stop();
      clearTimeout(timer);
    };
  }, [pid]);
  return { project, live, problem, reload: () => reloading.current() };
}
