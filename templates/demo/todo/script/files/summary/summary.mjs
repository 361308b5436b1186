/** Counts a list of to-dos and puts the counts into words. */
export function summarize(items) {
  const done = items.filter((item) => item.done).length;
  const open = items.length - done;
  const text = items.length === 0 ? 'nothing to do' : `${open} open, ${done} done`;
  return { total: items.length, open, done, text };
}
