import type { AgentResult } from '../domain/agent-results.ts';
import { readResultFile } from './call-folder.ts';
import { checkResult } from './call-result.ts';
import type { CallWatch } from './call-watch.ts';
import { type AgentCall, type AgentSession, type CallFailure, failure, type Prompt } from './driver.ts';
import { repairPrompt, taskPrompt } from './task-prompt.ts';
import type { Transcript } from './transcript.ts';

export type CallEnd = { readonly kind: 'completed'; readonly result: AgentResult } | CallFailure;

export interface Surroundings {
  readonly watch: CallWatch;
  readonly transcript: Transcript;
}

/** Asks for the task, and once more where the result does not fit. */
export async function askForResult(
  session: AgentSession,
  call: AgentCall,
  { watch, transcript }: Surroundings,
): Promise<CallEnd> {
  const ask = async (prompt: Prompt) => {
    transcript.note({ kind: 'prompt', ...prompt });
    const reply = await session.prompt(prompt);
    if (reply.kind === 'failed') return reply;
    const file = readResultFile(call.context.root, call.context.call);
    return checkResult(call.role, call.input, { file, message: reply.text });
  };
  const first = await ask(taskPrompt(call.input, call.context));
  if (first.kind === 'failed') return first;
  if (first.kind === 'valid') return { kind: 'completed', result: first.result };
  if (watch.stopped() !== undefined) return failure('cancelled', 'the call was stopped');
  const second = await ask(repairPrompt(first.problems));
  if (second.kind === 'failed') return second;
  if (second.kind === 'valid') return { kind: 'completed', result: second.result };
  return failure('bad_output', second.problems.join('; '));
}
