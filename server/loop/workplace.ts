import type { LoopPorts, ProjectFolder } from './ports.ts';
import type { Workbench } from './workbench.ts';

/** What an effect is carried out with. */
export interface Workplace {
  readonly ports: LoopPorts;
  readonly folder: ProjectFolder;
  readonly bench: Workbench;
  /** Aborts on pause, cancel, feedback and stop. */
  readonly signal: AbortSignal;
}

/** Now, as events and files have it: ISO 8601, UTC. */
export function timeOf({ ports }: { readonly ports: Pick<LoopPorts, 'clock'> }): string {
  return ports.clock.now().toISOString();
}
