import { useCallback, useEffect, useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';

export interface Loaded<Value> {
  /** What came last; kept while it is asked for again. */
  readonly value: Value | undefined;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** What is away for the moment is asked for again after so long, in milliseconds. */
const PAUSE_MS = 2_000;

/**
 * Asks for something when the page comes to it, and again when the key or the stamp changes or `reload` is called; a late answer to
 * an old question is dropped. What came for another key is not shown; what came for another stamp is, until the new answer is there.
 */
export function useLoad<Value>(load: () => Promise<Value>, key: string, stamp = ''): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; problem?: Problem; loading: boolean }>({
    key,
    loading: true,
  });
  const [round, setRound] = useState(0);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  useEffect(() => {
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }));
    load().then(
      (value) => wanted && setState({ key, value, loading: false }),
      (error: unknown) => {
        if (!wanted) return;
        if (!(error instanceof Problem)) throw error;
        setState((old) => ({ ...old, problem: error, loading: false }));
        if (error.passing) timer = setTimeout(reload, PAUSE_MS);
      },
    );
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [key, stamp, round]);
  const current = state.key === key;
  return {
    value: current ? state.value : undefined,
    problem: current ? state.problem : undefined,
    loading: !current || state.loading,
    reload,
  };
}
