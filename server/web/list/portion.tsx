import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../i18n/t.ts';

export interface PortionProps<Item> {
  readonly items: readonly Item[];
  readonly class?: string;
  /** The one that must be among those shown. */
  readonly at?: number;
  readonly row: (item: Item, index: number) => JSX.Element;
}

/** So many entries are drawn at once: thousands would keep the browser from anything else. */
const STEP = 200;

/** A list of which a part is drawn, with how much there is before and after it, and a way to that. */
export function Portion<Item>({ items, at = 0, row, ...more }: PortionProps<Item>) {
  const [shown, setShown] = useState({ from: 0, to: STEP });
  const inside = at >= shown.from && at < shown.to;
  const middle = Math.max(0, at - STEP / 2);
  const { from, to } = inside ? shown : { from: middle, to: middle + STEP };
  const after = items.length - to;
  return (
    <>
      {from > 0 && <Rest n={from} onClick={() => setShown({ from: Math.max(0, from - STEP), to })} before />}
      <ul class={more.class}>{items.slice(from, to).map((item, index) => row(item, from + index))}</ul>
      {after > 0 && <Rest n={after} onClick={() => setShown({ from, to: to + STEP })} />}
    </>
  );
}

interface RestProps {
  readonly n: number;
  readonly onClick: () => void;
  readonly before?: boolean;
}

const Rest = ({ n, onClick, before = false }: RestProps) => (
  <p>
    <button type="button" class="more" onClick={onClick}>
      {t(before ? 'list.before' : 'list.after', { n })}
    </button>
  </p>
);
