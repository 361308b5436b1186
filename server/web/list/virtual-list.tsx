import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visibleRange } from './visible-range.ts';

export interface VirtualListProps {
  readonly count: number;
  /** Pixels; every row has it. */
  readonly rowHeight: number;
  readonly label: string;
  readonly row: (index: number) => JSX.Element;
  readonly class?: string;
  /** A row to show when the list appears and when this changes. */
  readonly at?: number | undefined;
  /** Keeps to the end as the list grows, while its end is in sight. */
  readonly sticky?: boolean;
  readonly style?: Readonly<Record<string, string>>;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** A list of any length of which only what can be seen is in the document. It is a stop of the keyboard and scrolls by it. */
export function VirtualList({ count, rowHeight, label, row, at, sticky = false, ...more }: VirtualListProps) {
  const box = useRef<HTMLElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const ended = useRef(true);
  const look = () => {
    const { current } = box;
    if (current === null) return;
    const { scrollTop: top, clientHeight: height, scrollHeight, scrollLeft, clientWidth } = current;
    // What does not move aside with its row can move what is in it instead.
    current.style.setProperty('--aside', `${-scrollLeft}px`);
    current.style.setProperty('--view', `${clientWidth}px`);
    ended.current = top + height >= scrollHeight - rowHeight;
    setView((old) => (old.top === top && old.height === height ? old : { top, height }));
  };
  useEffect(() => {
    const observer = new ResizeObserver(look);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (box.current !== null && at !== undefined) box.current.scrollTop = at * rowHeight;
  }, [at, rowHeight]);
  useLayoutEffect(() => {
    if (sticky && ended.current && box.current !== null) box.current.scrollTop = count * rowHeight;
    look();
  }, [count, sticky, rowHeight]);
  const { from, to } = visibleRange({ ...view, rowHeight, count });
  return (
    <section
      ref={box}
      class={`virtual ${more.class ?? ''}`}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      style={more.style}
      onScroll={look}
      onKeyDown={more.onKeyDown}
      data-count={count}
    >
      <div class="virtual-all" style={{ height: `${count * rowHeight}px` }}>
        <div class="virtual-some" style={{ transform: `translateY(${from * rowHeight}px)` }}>
          {Array.from({ length: to - from }, (_, offset) => row(from + offset))}
        </div>
      </div>
    </section>
  );
}
