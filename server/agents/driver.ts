import type { AgentContext, CallRecord, FailureReason, RoleInput, Usage } from '../domain/agent-call.ts';
import type { Role } from '../domain/roles.ts';

/** A call that did not work, and why. */
export interface CallFailure {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  readonly detail: string;
}

export type SessionReply = { readonly kind: 'answer'; readonly text: string } | CallFailure;

/** What an agent is told. `aside` helps a live agent and may differ from run to run (raw output, paths): no digest covers it. */
export interface Prompt {
  readonly text: string;
  readonly aside?: string;
}

/** How an agent is driven. One driver serves every call of its kind; it keeps no state between calls. */
export interface AgentDriver {
  /** Gets an agent ready; nothing of it is left running where this fails. */
  start(call: AgentCall): Promise<AgentSession | CallFailure>;
}

/** One conversation with one agent. */
export interface AgentSession {
  readonly kind: 'session';
  readonly about: Pick<CallRecord, 'model' | 'source' | 'layers'>;
  /** Sends a prompt and resolves with the final message. Resolves soon after the call's signal aborts; the second prompt continues the first. */
  prompt(prompt: Prompt): Promise<SessionReply>;
  /** Ends the agent and all it started. May be called at any time, and again. */
  end(): Promise<void>;
}

/** One agent call as a driver sees it. */
export interface AgentCall {
  readonly role: Role;
  readonly input: RoleInput;
  readonly context: AgentContext;
  /** The role's standing instructions. */
  readonly system: string;
  /** Aborts at a limit and on cancel; its reason is the CallFailure. */
  readonly signal: AbortSignal;
  readonly progress: CallProgress;
}

/** Where a driver tells what goes on. */
export interface CallProgress {
  /** A piece of the agent's words for people, as it comes. */
  said(text: string): void;
  /** A line of the transcript: a message, a tool call, a tool's result. */
  note(entry: Readonly<Record<string, unknown>> & { readonly kind: string }): void;
  /** Bytes that came from the agent, for people or not: counts against the limit of output, and ends its silence. */
  heard(bytes: number): void;
  /** Bytes that the agent wrote to files. */
  wrote(bytes: number): void;
  spent(usage: Usage): void;
  /** The clock of silence stands still while the server works for the agent. */
  working<T>(work: () => Promise<T>): Promise<T>;
}

export function failure(reason: FailureReason, detail: string): CallFailure {
  return { kind: 'failed', reason, detail };
}

/** Why a call was stopped, from the signal that stopped it. */
export function stoppedBy(signal: AbortSignal): CallFailure {
  const reason: unknown = signal.reason;
  return isFailure(reason) ? reason : failure('cancelled', 'the call was cancelled');
}

function isFailure(value: unknown): value is CallFailure {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'failed';
}
