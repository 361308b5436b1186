import type { UnitSpec } from './agent-results.ts';

/**
 * Says what is wrong with a list of units: a name twice, a dependency that is not there, a cycle.
 * @returns sentences that name the units; empty where the list is sound
 */
export function unitGraphFaults(units: readonly Pick<UnitSpec, 'id' | 'depends_on'>[]): readonly string[] {
  const ids = new Set(units.map(({ id }) => id));
  const twice = units.filter(({ id }, i) => units.findIndex((other) => other.id === id) !== i);
  const missing = units.flatMap(({ id, depends_on }) =>
    depends_on
      .filter((name) => !ids.has(name))
      .map((name) => `unit ${id} depends on ${name}, which is not in the list`),
  );
  const faults = [...twice.map(({ id }) => `unit ${id} is in the list more than once`), ...missing];
  if (faults.length > 0) return faults;
  const cycle = findCycle(units);
  return cycle === undefined ? [] : [`units depend on each other in a circle: ${cycle.join(' -> ')}`];
}

/** The names on a cycle, the first one again at its end; undefined where there is none. */
function findCycle(units: readonly Pick<UnitSpec, 'id' | 'depends_on'>[]): readonly string[] | undefined {
  const dependencies = new Map(units.map(({ id, depends_on }) => [id, depends_on]));
  const settled = new Set<string>();

  function search(id: string, path: readonly string[]): readonly string[] | undefined {
    if (settled.has(id)) return undefined;
    const seen = path.indexOf(id);
    if (seen >= 0) return [...path.slice(seen), id];
    for (const next of dependencies.get(id) ?? []) {
      const cycle = search(next, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    settled.add(id);
    return undefined;
  }

  for (const { id } of units) {
    const cycle = search(id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}
