import { useCallback, useEffect, useState } from 'preact/hooks';
import { Problem } from '../api/problem.ts';

export interface Loaded<Value> {
  /** What came last; kept while it is asked for again. */
  readonly value: Value | undefined;
  readonly problem: Problem | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** Asks for something when the page comes to it, and again when the key changes or `reload` is called; a late answer to an old question is dropped. */
export function useLoad<Value>(load: () => Promise<Value>, key: string): Loaded<Value> {
  const [state, setState] = useState<{ key: string; value?: Value; problem?: Problem; loading: boolean }>({
    key,
    loading: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    let wanted = true;
    setState((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }));
    load().then(
      (value) => wanted && setState({ key, value, loading: false }),
      (error: unknown) => {
        if (!wanted) return;
        if (!(error instanceof Problem)) throw error;
        setState((old) => ({ ...old, problem: error, loading: false }));
      },
    );
    return () => {
      wanted = false;
    };
  }, [key, round]);
  const reload = useCallback(() => setRound((count) => count + 1), []);
  const current = state.key === key;
  return {
    value: current ? state.value : undefined,
    problem: current ? state.problem : undefined,
    loading: !current || state.loading,
    reload,
  };
}
