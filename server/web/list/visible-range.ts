export interface Window {
  /** Pixels. */
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows drawn beyond what can be seen, on either side. */
const MARGIN = 12;

/** Which rows of a long list are drawn: those that can be seen, and a few around them; `to` is not among them. */
export function visibleRange({ top, height, rowHeight, count }: Window): {
  readonly from: number;
  readonly to: number;
} {
  const first = Math.floor(top / rowHeight);
  const last = Math.ceil((top + height) / rowHeight);
  const to = Math.min(count, Math.max(last + MARGIN, 0));
  return { from: Math.max(0, Math.min(first - MARGIN, to)), to };
}
