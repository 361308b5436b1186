import type { ProcessResult } from '../../io/process-request.ts';
import { startProcess } from '../../io/run-process.ts';
import {
  type AgentCall,
  type AgentDriver,
  type AgentSession,
  type CallFailure,
  failure,
  type Prompt,
  type SessionReply,
  stoppedBy,
} from '../driver.ts';
import {
  type AgentPlace,
  type AgentSetting,
  inAgentPlace,
  openAgentPlace,
  type ProgramTeam,
} from '../process/agent-place.ts';
import { readLines } from '../process/lines.ts';
import { programPrompt, retoldPrompt, withAside } from '../process/program-prompt.ts';
import { watchWrites } from '../process/watch-writes.ts';
import type { Decoded, Decoder } from './decoder.ts';
import { decoderOf } from './decoder-of.ts';

type CommandTeam = Extract<ProgramTeam, { readonly driver: 'command' }>;

/** Between an agent's word that it is done and the end of its process. */
const LINGER_MS = 3000;
const SHOWN_OF_ERRORS = 2000;

/** Drives any program: a process for each prompt, the prompt on its standard input, its output read by the team's decoder. */
export function commandDriver(setting: AgentSetting): AgentDriver {
  return {
    start: async (call) => {
      const { team } = call.context;
      if (team.driver !== 'command') return failure('not_started', `the team's driver is ${team.driver}`);
      const place = openAgentPlace(setting, call, team);
      return inAgentPlace(place, async (opened) => startSession({ call, team, place: opened }));
    },
  };
}

interface Talk {
  readonly call: AgentCall;
  readonly team: CommandTeam;
  readonly place: AgentPlace;
}

function startSession(talk: Talk): AgentSession {
  const { call, team, place } = talk;
  let told: { readonly first: string; readonly said: string; readonly session?: string } | undefined;
  return {
    kind: 'session',
    about: { layers: place.layers, ...(team.model === undefined ? {} : { model: team.model }) },
    prompt: async (prompt) => {
      const text = told === undefined ? programPrompt(call, prompt, place.result_file) : retell(team, told, prompt);
      const ran = await inAgentPlace(place, () => runPrompt(talk, argvOf(team, told?.session), text));
      if (ran.kind === 'failed') return ran;
      told = {
        first: told?.first ?? text,
        said: ran.text,
        ...(ran.session === undefined ? {} : { session: ran.session }),
      };
      return { kind: 'answer', text: ran.text } satisfies SessionReply;
    },
    end: () => place.close(),
  };
}

/** Where the program remembers, only what is new. */
function retell(
  team: CommandTeam,
  told: { readonly first: string; readonly said: string; readonly session?: string },
  prompt: Prompt,
): string {
  const remembers = team.continue_with !== undefined && told.session !== undefined;
  return remembers ? withAside(prompt) : retoldPrompt(told.first, told.said, prompt);
}

function argvOf(team: CommandTeam, session: string | undefined): readonly string[] {
  if (session === undefined || team.continue_with === undefined) return team.command;
  return team.continue_with.map((part) => part.replaceAll('{session}', session));
}

interface Ran {
  readonly kind: 'ran';
  readonly text: string;
  readonly session?: string;
}

async function runPrompt(
  { call, team, place }: Talk,
  argv: readonly string[],
  text: string,
): Promise<Ran | CallFailure> {
  const { progress, signal } = call;
  const decoder = decoderOf(team.decoder ?? 'plain');
  const heard: Heard = { done: false };
  const lines = readLines((line) => {
    for (const decoded of decoder.line(line)) take(decoded, heard, call);
    if (heard.done || heard.fault !== undefined) lingering ??= setTimeout(() => running.end(), LINGER_MS).unref();
  });
  let lingering: NodeJS.Timeout | undefined;
  const running = startProcess({
    ...place.request(argv),
    stdin: { text: stdinOf(team, call, { text, place }) },
    signal,
    onOutput: (chunk, stream) => {
      progress.heard(chunk.length);
      if (stream === 'stdout') lines.push(chunk);
    },
  });
  const writes = watchWrites([place.root, place.folder], progress.wrote);
  const result = await running.done;
  clearTimeout(lingering);
  writes.stop();
  if (signal.aborted) return stoppedBy(signal);
  lines.end();
  return endOf(result, decoder, heard);
}

interface Heard {
  done: boolean;
  fault?: CallFailure;
  session?: string;
}

function take(decoded: Decoded, heard: Heard, { progress }: AgentCall): void {
  switch (decoded.kind) {
    case 'said':
      progress.said(decoded.text);
      progress.note({ kind: 'output', text: decoded.text });
      break;
    case 'note':
      progress.note(decoded.entry);
      break;
    case 'session':
      heard.session = decoded.id;
      progress.note({ ...decoded });
      break;
    case 'usage':
      progress.spent(decoded.usage);
      break;
    case 'done':
      heard.done = true;
      break;
    case 'failed':
      heard.fault ??= decoded;
  }
}

/** Agents whose output is plain get the whole input as JSON; the others read a prompt. */
function stdinOf(
  team: CommandTeam,
  { role, input, context }: AgentCall,
  at: { readonly text: string; readonly place: AgentPlace },
): string {
  if ((team.decoder ?? 'plain') !== 'plain') return at.text;
  const { scope, call, round, attempt } = context;
  return `${JSON.stringify({ schema: 1, call, role, round, attempt, input, scope, result_file: at.place.result_file, prompt: at.text })}\n`;
}

function endOf(result: ProcessResult, decoder: Decoder, heard: Heard): Ran | CallFailure {
  const session = heard.session === undefined ? {} : { session: heard.session };
  if (result.spawn_error !== undefined) return failure('not_started', result.spawn_error);
  if (heard.fault !== undefined) return heard.fault;
  if (heard.done || (!decoder.says_when_done && result.exit_code === 0))
    return { kind: 'ran', text: decoder.message(), ...session };
  const how = result.exit_code === null ? `by ${result.signal}` : `with status ${result.exit_code}`;
  const words = result.stderr.trim().slice(-SHOWN_OF_ERRORS);
  return failure(
    'agent_error',
    `the program ended ${how}${decoder.says_when_done ? ', without a word that it was done' : ''}${words === '' ? '' : `: ${words}`}`,
  );
}
