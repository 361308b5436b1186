import { pointAnswer } from './point-answer.ts';
import type { Turn } from './turn.ts';

/** A turn as programs and people are told of it. `offset` counts from the newest. */
export function turnAnswer({ turn, state, pre, post }: Turn, offset: number) {
  return { offset, turn, state, pre: pointAnswer(pre), ...(post !== undefined && { post: pointAnswer(post) }) };
}
