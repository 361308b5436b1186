import type { AgentCaller, AgentContext, AgentOutcome, CallRecord, RoleInput, Usage } from '../domain/agent-call.ts';
import { withCost } from '../domain/price.ts';
import type { Role } from '../domain/roles.ts';
import type { RoleTeam } from '../domain/team.ts';
import type { Clock } from '../io/clock.ts';
import { IoError } from '../io/io-error.ts';
import { askForResult, type CallEnd, type Surroundings } from './ask-for-result.ts';
import { makeCallFolder } from './call-folder.ts';
import { type CallMeter, callMeter } from './call-meter.ts';
import { watchCall } from './call-watch.ts';
import { type AgentCall, type AgentDriver, type AgentSession, type CallFailure, failure } from './driver.ts';
import { type RolePrompt, rolePrompt } from './role-prompt.ts';
import { openTranscript } from './transcript.ts';

export interface AgentParts {
  readonly drivers: Readonly<Record<RoleTeam['driver'], AgentDriver>>;
  /** Absolute path of templates/. */
  readonly templates: string;
  readonly clock: Clock;
  /** Values that no transcript or output may show, whatever they look like. */
  readonly secretsOf: (team: RoleTeam) => readonly string[];
}

/** Makes agent calls: picks the driver, holds the limits, checks the result, keeps the transcript. */
export class AgentManager implements AgentCaller {
  readonly #parts: AgentParts;

  constructor(parts: AgentParts) {
    this.#parts = parts;
  }

  /** Resolves when nothing of the call runs any more; rejects only where the server's own disk fails. */
  async callAgent(role: Role, input: RoleInput, context: AgentContext): Promise<AgentOutcome> {
    const began = performance.now();
    const prompt = rolePrompt(this.#parts.templates, role);
    const made = await this.#make({ role, input, context, prompt });
    const record = { ...made.record, prompt: prompt.digest, duration_ms: Math.round(performance.now() - began) };
    return made.end.kind === 'failed'
      ? { ...made.end, record }
      : { kind: 'completed', result: made.end.result, record };
  }

  async #make(task: Task): Promise<MadeCall> {
    const { context } = task;
    const unmade = { driver: context.team.driver, layers: [], usage: {} };
    const folder = callFolder(context);
    if (typeof folder !== 'string') return { end: folder, record: unmade };
    const secrets = this.#parts.secretsOf(context.team);
    const transcript = openTranscript(folder, { clock: this.#parts.clock, secrets });
    const watch = watchCall(context.limits, context.signal);
    const meter = callMeter({ watch, transcript, onOutput: context.onOutput, secrets });
    const { role, input, prompt } = task;
    const call: AgentCall = {
      role,
      input,
      context,
      system: prompt.text,
      signal: watch.signal,
      progress: meter.progress,
    };
    try {
      transcript.note({ kind: 'call', role, driver: context.team.driver, prompt: prompt.digest });
      const { about, end } = await this.#drive(call, { watch, transcript });
      meter.flush();
      transcript.note({ ...end });
      return { end, record: { ...unmade, ...about, usage: usageOf(meter, context.team) } };
    } finally {
      watch.close();
      transcript.close();
    }
  }

  async #drive(
    call: AgentCall,
    at: Surroundings,
  ): Promise<{ readonly end: CallEnd; readonly about?: AgentSession['about'] }> {
    const session = at.watch.stopped() ?? (await this.#parts.drivers[call.context.team.driver].start(call));
    if (session.kind === 'failed') return { end: at.watch.stopped() ?? session };
    try {
      const end = await askForResult(session, call, at);
      return { about: session.about, end: at.watch.stopped() ?? end };
    } finally {
      await session.end();
    }
  }
}

interface Task {
  readonly role: Role;
  readonly input: RoleInput;
  readonly context: AgentContext;
  readonly prompt: RolePrompt;
}

interface MadeCall {
  readonly end: CallEnd;
  readonly record: Omit<CallRecord, 'prompt' | 'duration_ms'>;
}

function usageOf(meter: CallMeter, team: RoleTeam): Usage {
  return withCost(meter.usage(), 'price' in team ? team.price : undefined);
}

function callFolder({ root, call }: AgentContext): string | CallFailure {
  try {
    return makeCallFolder(root, call);
  } catch (error) {
    if (error instanceof IoError) return failure('not_started', error.message);
    throw error;
  }
}
