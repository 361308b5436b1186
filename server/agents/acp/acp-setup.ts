import type { CommandGuard } from '../../sandbox/index.ts';
import type { AgentCall } from '../driver.ts';
import type { AgentPlace, ProgramTeam } from '../process/agent-place.ts';

/** What one call of an ACP agent has to work with. */
export interface AcpSetup {
  readonly call: AgentCall;
  readonly team: Extract<ProgramTeam, { readonly driver: 'acp' }>;
  readonly place: AgentPlace;
  readonly guard: CommandGuard;
}
