import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export interface DetailProps {
  readonly label: string;
  /** Names what is shown: another one is looked at from its beginning. */
  readonly id: string;
  readonly children: ComponentChildren;
}

/** What was opened from a list: beside it, or above it where there is no room. There one is led to it, since the list may be long. */
export function Detail({ label, id, children }: DetailProps) {
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (box.current === null) return;
    box.current.scrollTop = 0;
    const { top } = box.current.getBoundingClientRect();
    if (top < 0) box.current.scrollIntoView();
  }, [id]);
  return (
    <aside ref={box} class="detail" aria-label={label} data-detail={id}>
      {children}
    </aside>
  );
}
