import type { ComponentChildren } from 'preact';

export interface ScrollBoxProps {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** Something that may be larger than its place: it scrolls, and is a stop of the keyboard so that keys scroll it too. */
export const ScrollBox = ({ label, class: name, children }: ScrollBoxProps) => (
  <section
    class={`scroll-box ${name}`}
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
  >
    {children}
  </section>
);
