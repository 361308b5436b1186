import type { Usage } from '../../domain/agent-call.ts';
import type { CallFailure } from '../driver.ts';

/** What a line of an agent's output means. */
export type Decoded =
  | { readonly kind: 'said'; readonly text: string }
  | { readonly kind: 'note'; readonly entry: Readonly<Record<string, unknown>> & { readonly kind: string } }
  | { readonly kind: 'session'; readonly id: string; readonly model?: string }
  | { readonly kind: 'usage'; readonly usage: Usage }
  /** The agent's own word that it is done. */
  | { readonly kind: 'done' }
  | CallFailure;

/** Understands the output of one kind of agent. A new one is made for each prompt. */
export interface Decoder {
  /** True where only the agent's own word ends a prompt well; else the exit status does. */
  readonly says_when_done: boolean;
  line(line: string): readonly Decoded[];
  /** The final message, as far as it is known. */
  message(): string;
}
