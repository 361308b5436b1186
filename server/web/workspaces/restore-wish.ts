import type { RestoreWish } from '../api/types.ts';

/** What the address of a restore asks for, as the request for its plan. Paths in `only` are a line each: a name may have spaces. */
export function wishOf(query: Readonly<Record<string, string>>): RestoreWish {
  const { checkpoint, turn_offset, target, path, only = '', scope } = query;
  const paths = only.split('\n').filter((line) => line.trim() !== '');
  return {
    ...(checkpoint === undefined ? { turn_offset: Math.max(0, Math.trunc(Number(turn_offset)) || 0) } : { checkpoint }),
    ...(target === 'new' ? { target, ...(path !== undefined && { path }) } : {}),
    ...(paths.length > 0 && { only: paths }),
    ...(scope === 'agent' && { scope }),
  };
}
