import type { Message } from './follow-events.ts';
import { plainLines, type Terminal } from './terminal.ts';

type Data = Message['data'];
type Paint = Terminal['paint'];

/** An event as a line for people, further lines set in; undefined for one that says nothing new to them. */
export function eventText({ event, data }: Message, paint: Paint): string | undefined {
  return LINES[event]?.(plainMembers(data), paint)?.replaceAll('\n', '\n    ');
}

function plainMembers(data: Data): Data {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'string' ? plainLines(value) : value]),
  );
}

const LINES: Readonly<Record<string, (data: Data, paint: Paint) => string | undefined>> = {
  'agent.started': (data) => `${who(data)} …`,
  'agent.finished': (data) => (data.summary === undefined ? undefined : `${who(data)}: ${data.summary}`),
  'agent.failed': (data, paint) => paint('red', `${who(data)} failed: ${data.reason}: ${data.detail}`),
  'test.result': (data, paint) =>
    data.outcome === 'green'
      ? paint('green', `tests of ${data.unit} green: ${data.passed} of ${data.total}`)
      : `${paint('red', `tests of ${data.unit} ${data.outcome}: ${data.failed} of ${data.total} failed`)}${failure(data)}`,
  'integration.result': (data, paint) =>
    `${paint(data.outcome === 'pass' ? 'green' : 'red', `integration ${data.outcome}: ${data.passed} of ${data.total} cases`)}${failure(data)}`,
  'triage.done': (data) => `triage: ${data.category}, blames ${list(data.blamed_units)}: ${data.reason}`,
  'git.committed': (data, paint) => `${paint('yellow', String(data.sha).slice(0, 7))} ${data.summary}`,
  'git.tagged': (data, paint) => `tag ${paint('yellow', String(data.tag))}`,
  'git.failed': (data, paint) => paint('red', `commit failed: ${data.code}: ${data.detail}`),
  'attempt.saved': (data) => `kept as attempts/${data.unit}/${data.round}/${data.attempt}`,
  'project.status': (data, paint) =>
    paint('bold', `project ${data.status}`) +
    [data.reason, data.detail]
      .filter((part) => part !== undefined)
      .map((part) => `: ${part}`)
      .join(''),
  'secret.found': (data, paint) => paint('red', `what looks like secrets was committed: devloop findings ${data.pid}`),
  'gate.waiting': (data) => `waits for approval of the ${data.gate}: devloop approve ${data.pid} --gate ${data.gate}`,
  'budget.exceeded': (data, paint) => paint('red', `budget of ${data.budget} spent: ${data.spent} of ${data.limit}`),
  recovery_dirty_tree: (data) => `files are dirty after a crash: devloop recover ${data.pid}`,
  'recovery.settled': (data) => `recovery settled: ${data.action}`,
  'vault.repaired': (data) => `repository repaired: ${list(data.what)}`,
  'stream.reset': (data) => `earlier events are not kept; the oldest is ${data.oldest}`,
};

/** `Coder · store · attempt 2`, with the round where it is not the first. */
function who({ role, unit, attempt, round }: Data): string {
  const parts = [
    String(role),
    unit,
    attempt === undefined ? undefined : `attempt ${attempt}`,
    Number(round ?? 1) > 1 ? `round ${round}` : undefined,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}

/** The assertion's own words, on lines of their own. */
function failure({ first_failure: first }: Data): string {
  if (typeof first !== 'object' || first === null || !('id' in first) || !('message' in first)) return '';
  return plainLines(`\n${first.id}\n${first.message}`);
}

const list = (value: unknown): string => plainLines(Array.isArray(value) ? value.join(', ') : String(value));
