import { useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';

export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => Promise<void>;
  readonly busy: boolean;
  readonly problem: Problem | undefined;
}

/** Something that a person starts: busy while it runs, with the problem it ended in. */
export function useAction<Args extends readonly unknown[]>(act: (...args: Args) => Promise<void>): Action<Args> {
  const [state, setState] = useState<{ readonly busy: boolean; readonly problem?: Problem }>({ busy: false });
  const run = async (...args: Args) => {
    if (state.busy) return;
    setState({ busy: true });
    try {
      await act(...args);
      setState({ busy: false });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      setState({ busy: false, problem: error });
    }
  };
  return { run, busy: state.busy, problem: state.problem };
}
