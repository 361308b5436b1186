import type { FailureReason } from './agent-call.ts';
import { type AgentResult, type ArchitectResult, type TriageResult, unitSchema } from './agent-results.ts';
import type { UnitId } from './ids.ts';
import { integrationSpecSchema } from './integration-spec.ts';
import { unitsFileSchema } from './project.ts';
import { unitGraphFaults } from './unit-graph.ts';

export interface Fault {
  readonly reason: FailureReason;
  readonly detail: string;
}

/** What a result is held against. Texts are of files as the call left them; undefined where a file is absent. */
export interface ResultFacts {
  readonly units_json: string | undefined;
  readonly spec_json: string | undefined;
  readonly units: readonly UnitId[];
}

/** What is wrong with a result that fits its schema; undefined where it can be taken. */
export function resultFault(result: AgentResult, facts: ResultFacts): Fault | undefined {
  switch (result.role) {
    case 'pm':
      return result.ok ? undefined : gaveUp(result.change_summary);
    case 'architect':
      return result.ok ? faultOf(designFaults(result, facts)) : gaveUp(result.change_summary);
    case 'coder':
      return result.ok ? undefined : gaveUp(result.summary);
    case 'bug-triager':
      return faultOf(triageFaults(result, facts.units));
    case 'tester':
    case 'integrator':
      return undefined;
  }
}

const gaveUp = (detail: string): Fault => ({ reason: 'agent_error', detail: `the agent gave up: ${detail}` });

const faultOf = (faults: readonly string[]): Fault | undefined =>
  faults.length === 0 ? undefined : { reason: 'bad_output', detail: faults.join('; ') };

function designFaults(result: ArchitectResult, { units_json, spec_json }: ResultFacts): readonly string[] {
  const units = parsed('units.json', units_json, unitsFileSchema);
  const spec = parsed('integration/spec.json', spec_json, integrationSpecSchema);
  const names = new Set(result.units.map(({ id }) => id));
  const differ = units.value !== undefined && !sameUnits(units.value.units, result.units);
  const strange = (spec.value?.services ?? []).filter(({ unit }) => !names.has(unit));
  return [
    ...unitGraphFaults(result.units),
    ...units.faults,
    ...(differ ? ['units.json differs from the units of the result'] : []),
    ...spec.faults,
    ...strange.map(({ id, unit }) => `service ${id} is of unit ${unit}, which is not in the list`),
  ];
}

function triageFaults({ category, blamed_units }: TriageResult, units: readonly UnitId[]): readonly string[] {
  const strange = blamed_units.filter((id) => !units.some((unit) => unit === id));
  const nobody = (category === 'code' || category === 'test') && blamed_units.length === 0;
  return [
    ...strange.map((id) => `there is no unit ${id}`),
    ...(nobody ? [`category ${category} must blame a unit`] : []),
  ];
}

interface Schema<T> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: T }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[];
        };
      };
}

function parsed<T>(
  name: string,
  text: string | undefined,
  schema: Schema<T>,
): { readonly value?: T; readonly faults: readonly string[] } {
  if (text === undefined) return { faults: [`${name} is absent`] };
  const json = parseJson(text);
  if (json === undefined) return { faults: [`${name} is not JSON`] };
  const result = schema.safeParse(json.value);
  if (result.success) return { value: result.data, faults: [] };
  const faults = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${name}: ${path.map(String).join('.')}: ${message}`);
  return { faults };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

/** Equal in every member, whatever the order of names in the file. */
function sameUnits(a: readonly unknown[], b: readonly unknown[]): boolean {
  const texts = (units: readonly unknown[]) =>
    JSON.stringify(units.map((unit) => Object.entries(unitSchema.parse(unit)).sort()));
  return texts(a) === texts(b);
}
