import type { ProcessResult } from '../io/process-request.ts';
import { errorLine } from './readers/error-text.ts';

/** How a program ended, with the error that it printed, or else its last words: `ended with exit status 1: no database`. */
export function describeEnd({ ended, exit_code, signal, stdout, stderr, spawn_error }: ProcessResult): string {
  if (spawn_error !== undefined) return `could not be started: ${spawn_error}`;
  if (ended === 'output') return 'printed more than it may';
  const how = signal === null ? `exit status ${exit_code}` : `signal ${signal}`;
  const lines = (stderr.trim() || stdout.trim()).split('\n');
  const words = errorLine(lines) ?? lines.at(-1)?.trim();
  return `ended with ${how}${words ? `: ${words}` : ''}`;
}
