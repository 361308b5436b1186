import type { CallLimits } from '../domain/agent-call.ts';
import { type CallFailure, failure, stoppedBy } from './driver.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Watches one call's limits; the first that is reached, or a cancel, aborts `signal`. */
export interface CallWatch {
  /** Its reason is the CallFailure. */
  readonly signal: AbortSignal;
  /** Why the call was stopped, where it was. */
  stopped(): CallFailure | undefined;
  /** Bytes that the agent gave: counts against output, ends its silence. */
  heard(bytes: number): void;
  wrote(bytes: number): void;
  working<T>(work: () => Promise<T>): Promise<T>;
  /** Stops the clocks. */
  close(): void;
}

export function watchCall(limits: CallLimits, cancel: AbortSignal): CallWatch {
  const controller = new AbortController();
  const stop = (reason: CallFailure) => controller.abort(reason);
  const onCancel = () => stop(failure('cancelled', 'the call was cancelled'));
  const wall = timer(limits.wall_ms, () => stop(failure('timeout_wall', `not done after ${limits.wall_ms} ms`)));
  const silence = () => timer(limits.idle_ms, () => stop(failure('timeout_idle', `silent for ${limits.idle_ms} ms`)));
  let [output, written, atWork] = [0, 0, 0];
  let idle = silence();
  const restart = () => {
    clearTimeout(idle);
    if (atWork === 0 && !controller.signal.aborted) idle = silence();
  };
  if (cancel.aborted) onCancel();
  cancel.addEventListener('abort', onCancel);
  return {
    signal: controller.signal,
    stopped: () => (controller.signal.aborted ? stoppedBy(controller.signal) : undefined),
    heard: (bytes) => {
      output += bytes;
      restart();
      if (output > limits.output_bytes) stop(failure('output_limit', `printed more than ${limits.output_bytes} bytes`));
    },
    wrote: (bytes) => {
      written += bytes;
      if (written > limits.write_bytes) stop(failure('output_limit', `wrote more than ${limits.write_bytes} bytes`));
    },
    working: async (work) => {
      atWork += 1;
      restart();
      try {
        return await work();
      } finally {
        atWork -= 1;
        restart();
      }
    },
    close: () => {
      clearTimeout(wall);
      clearTimeout(idle);
      cancel.removeEventListener('abort', onCancel);
    },
  };
}

const timer = (ms: number, run: () => void): NodeJS.Timeout => setTimeout(run, Math.min(ms, LONGEST_TIMER_MS));
