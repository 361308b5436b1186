import type { IntegrationReport, UnitReport } from '../domain/verdicts.ts';
import type { RunSetting } from './confined-run.ts';
import { type IntegrationRunInput, runIntegration } from './integration-run.ts';
import { runUnit, type UnitRunInput } from './unit-run.ts';

export type { RunSetting };

/** The runs that the server makes itself: what they find is the verdict, whatever an agent says. */
export interface Verdicts {
  runUnit(input: UnitRunInput): Promise<UnitReport>;
  runIntegration(input: IntegrationRunInput): Promise<IntegrationReport>;
}

/** Makes the runs in the bounds of the setting's sandbox. */
export function createVerdicts(setting: RunSetting): Verdicts {
  return {
    runUnit: (input) => runUnit(setting, input),
    runIntegration: (input) => runIntegration(setting, input),
  };
}
