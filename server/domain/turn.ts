import { z } from 'zod';
import type { Point, TurnId } from './point.ts';

const openTurn = z.object({
  turn: z.string(),
  task_id: z.string().exactOptional(),
  actor: z.string().exactOptional(),
  run_id: z.string().exactOptional(),
  since: z.string(),
  /** The process that runs the turn, and when it started. */
  pid: z.int(),
  start_time: z.string().exactOptional(),
});
/** A turn that has begun and not ended. */
export type OpenTurn = z.infer<typeof openTurn>;

/** turns.json */
export const turnsFileSchema = z.object({ schema: z.literal(1), open: z.array(openTurn) });

export interface TurnAbout {
  readonly task_id?: string | undefined;
  readonly actor?: string | undefined;
  readonly run_id?: string | undefined;
  readonly reason?: string | undefined;
}

/** A turn by its points. */
export interface Turn {
  readonly turn: TurnId;
  readonly state: 'open' | 'ended' | 'unfinished';
  readonly pre: Point;
  readonly post?: Point;
}
