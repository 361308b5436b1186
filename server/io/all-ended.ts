/** Waits for all, so that nothing is under way any more when the first failure is thrown. */
export async function allEnded<Result>(work: readonly (Promise<Result> | undefined)[]): Promise<readonly Result[]> {
  const ends = await Promise.allSettled(work);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value as Result;
  });
}
