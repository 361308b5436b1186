import { useEffect } from 'preact/hooks';
import { visibleLine } from './visible.ts';

/** Names the tab and its place in the browser's history: the narrowest first. */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, 'DevLoop'].map((part) => visibleLine(part).slice(0, 80)).join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
