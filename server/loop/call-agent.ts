import { type Fault, type ResultFacts, resultFault } from '../domain/accept-result.ts';
import type { AgentContext, AgentOutcome } from '../domain/agent-call.ts';
import { bytePathFromText, pathText } from '../domain/byte-path.ts';
import type { FileChange } from '../domain/commit.ts';
import type { CallEffect } from '../domain/effect.ts';
import type { UnitId } from '../domain/ids.ts';
import type { CallOutcome } from '../domain/loop-event.ts';
import { inScope } from '../domain/write-scope.ts';
import { openCallFile } from './call-file.ts';
import type { Judgement } from './workbench.ts';
import type { Workplace } from './workplace.ts';

const LARGEST_FILE = 4_000_000;

/**
 * Makes one agent call: its files brought to where it starts, its state kept for readers, what it changed held against its write
 * scope and the vault's seal, and its result against what it left.
 */
export async function callAgentWithPersistence(effect: CallEffect, at: Workplace): Promise<CallOutcome> {
  const { key } = effect;
  const { outcome, judgement, close } = await judgedCall(effect, at);
  const { record } = outcome;
  const verdict = await callVerdict(effect, at, { outcome, judgement });
  if (verdict.kind === 'completed') {
    await close({ status: 'done', record });
    return completed(effect, at, verdict);
  }
  if (at.signal.aborted) {
    if (judgement.strays.length > 0) at.ports.log.warn('an interrupted call had left its write scope', { call: key });
    await close({ status: 'interrupted', record });
    return { kind: 'call.interrupted', key, record };
  }
  const { reason, detail } = verdict;
  await close({ status: 'failed', record, reason, detail });
  return { kind: 'call.failed', key, record, reason, detail };
}

type Closing = Awaited<ReturnType<typeof openCallFile>>;

async function judgedCall(
  effect: CallEffect,
  at: Workplace,
): Promise<{ readonly outcome: AgentOutcome; readonly judgement: Judgement; readonly close: Closing }> {
  const { key, role, scope, unit, from, input } = effect;
  const reach = unit === undefined ? scope : [...scope, `units/${unit}/**`];
  await at.bench.begin(key, { own: scope, reach, from });
  const running = async () => {
    const close = await openCallFile(effect, at);
    return { close, outcome: await at.ports.agents.callAgent(role, input, contextOf(effect, at)) };
  };
  const ran = await running().catch(async (error: unknown) => {
    await at.bench.end(key);
    throw error;
  });
  return { ...ran, judgement: await at.bench.end(key) };
}

function contextOf(effect: CallEffect, at: Workplace): AgentContext {
  const { key: call, unit, team, scope, limits, round, attempt, requirement, test_command } = effect;
  const { pid, root } = at.folder;
  const runTests =
    unit === undefined || test_command === undefined ? undefined : testRunner(effect, at, { unit, test_command });
  return {
    pid,
    call,
    root,
    team,
    scope,
    limits,
    round,
    attempt,
    requirement,
    signal: at.signal,
    ...(unit !== undefined && { unit }),
    ...(runTests !== undefined && { runTests }),
    onOutput: (text) => at.ports.ledgers.publish(pid, { kind: 'agent_output', call, text }),
  };
}

/** The run_tests tool: the unit's own command, whose leavings are no work of the agent's. */
function testRunner(
  { key, test_ms, limits }: CallEffect,
  { ports, folder, bench, signal }: Workplace,
  { unit, test_command }: { readonly unit: UnitId; readonly test_command: readonly string[] },
): NonNullable<AgentContext['runTests']> {
  const run = {
    root: folder.root,
    unit,
    command: test_command,
    promised: [],
    limits: { wall_ms: test_ms, output_bytes: limits.output_bytes },
    signal,
  };
  return () => bench.aside(key, () => ports.verdicts.runUnit(run));
}

/** Whether the call counts; where it does not, the gravest reason. */
async function callVerdict(
  effect: CallEffect,
  at: Workplace,
  { outcome, judgement }: { readonly outcome: AgentOutcome; readonly judgement: Judgement },
): Promise<AgentOutcome> {
  const failed = (fault: Fault): AgentOutcome => ({ kind: 'failed', ...fault, record: outcome.record });
  const { changed, strays, tampered } = judgement;
  if (tampered.length > 0) {
    return failed({
      reason: 'vault_tampered',
      detail: `changed in .git or the ledgers, and put back: ${named(tampered)}`,
    });
  }
  if (strays.length > 0) {
    const paths = strays.map(({ path }) => pathText(path).path);
    return failed({
      reason: 'scope_violation',
      detail: `changed outside of the write scope, and put back: ${named(paths)}`,
    });
  }
  if (outcome.kind === 'failed') return outcome;
  const idle = effect.role === 'coder' && !changed.some((change) => isCode(effect, change));
  if (idle) return failed({ reason: 'no_change', detail: 'the coder changed nothing' });
  const fault = resultFault(outcome.result, await resultFacts(effect, at));
  return fault === undefined ? outcome : failed(fault);
}

function named(names: readonly string[]): string {
  const more = names.length > 20 ? ` and ${names.length - 20} more` : '';
  return `${names.slice(0, 20).join(', ')}${more}`;
}

const isCode = ({ unit }: CallEffect, { path }: FileChange): boolean => inScope(path, [`units/${unit}/code/**`]);

async function resultFacts({ role, units }: CallEffect, { ports, folder }: Workplace): Promise<ResultFacts> {
  const read = async (path: string): Promise<string | undefined> => {
    if (role !== 'architect') return undefined;
    const content = await ports.projects.read(folder.pid, path, LARGEST_FILE);
    return content === undefined ? undefined : new TextDecoder().decode(content);
  };
  return { units, units_json: await read('units.json'), spec_json: await read('integration/spec.json') };
}

async function completed(
  { key, role, unit }: CallEffect,
  { ports, folder }: Workplace,
  { result, record }: Extract<AgentOutcome, { kind: 'completed' }>,
): Promise<CallOutcome> {
  if (role !== 'tester') return { kind: 'call.completed', key, result, record };
  const [tests_tree] = await ports.vault.treeIds(folder.pid, [bytePathFromText(`units/${unit}/tests`)]);
  return { kind: 'call.completed', key, result, record, ...(tests_tree !== undefined && { tests_tree }) };
}
