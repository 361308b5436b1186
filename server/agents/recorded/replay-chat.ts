import { type CallFailure, failure, stoppedBy } from '../driver.ts';
import type { ChatMessage, ChatModel, ChatReply, ChatRequest, ReplyListener } from '../model/chat-model.ts';
import type { CallWords } from './call-words.ts';
import type { Recording } from './recording.ts';
import type { ExpectedAnswer, RecordedTurn, TurnKey } from './recording-lines.ts';
import { partLabel, requestDigest, requestParts, shortDigest } from './request-parts.ts';

/** One call of a recording that is played again. */
export interface Replay {
  readonly recording: Recording;
  readonly key: TurnKey;
  readonly words: CallWords;
  /** Added to each divergence: what to do about it. */
  readonly hint: string;
}

/** Answers as was recorded, as long as tools and requests are what they were; the first difference ends the call with `replay_diverged`. */
export function replayChat(replay: Replay): ChatModel {
  let turn = 0;
  let before: Found | undefined;
  return {
    complete: async (request, signal, listener) => {
      if (signal.aborted) return stoppedBy(signal);
      turn += 1;
      const wrongAnswer = before === undefined ? undefined : checkAnswers(replay, before, request);
      if (wrongAnswer !== undefined) return wrongAnswer;
      const found = replay.recording.turn(replay.key, turn);
      if (found === undefined) return diverged(replay, replay.recording.name, turn, 'this turn was not recorded');
      before = found;
      return checkRequest(replay, found, request) ?? spoken(replay, found.turn, listener);
    },
  };
}

interface Found {
  readonly line: number;
  readonly turn: RecordedTurn;
}

function spoken({ words }: Replay, turn: RecordedTurn, listener: ReplyListener): ChatReply {
  const message = words.spoken(turn.message);
  listener.text(message);
  const { input_tokens, output_tokens } = turn.usage;
  return {
    kind: 'reply',
    message,
    tool_calls: turn.tool_calls.map((call) => ({ ...call, arguments: words.spoken(call.arguments) })),
    usage: {
      ...(input_tokens === undefined ? {} : { input_tokens }),
      ...(output_tokens === undefined ? {} : { output_tokens }),
    },
  };
}

function checkAnswers(replay: Replay, found: Found, request: ChatRequest): CallFailure | undefined {
  for (const expected of found.turn.expect ?? []) {
    const answer = request.messages.findLast((message) => isAnswer(message, expected));
    const text = replay.words.neutral(answer?.content ?? '');
    if (shortDigest(text) === expected.digest) continue;
    const tool = found.turn.tool_calls.find(({ id }) => id === expected.tool_call_id)?.name ?? 'unknown tool';
    const what = `the answer of ${tool} (${expected.tool_call_id}) is not the expected one: ${difference(expected.text, text)}`;
    return diverged(replay, place(replay, found), found.turn.turn, what);
  }
  return undefined;
}

const isAnswer = (message: ChatMessage, { tool_call_id }: ExpectedAnswer): boolean =>
  message.role === 'tool' && message.tool_call_id === tool_call_id;

function checkRequest(replay: Replay, found: Found, request: ChatRequest): CallFailure | undefined {
  const parts = requestParts(request, replay.words.neutral);
  const digest = requestDigest(parts);
  const expected = found.turn.request_digest;
  if (digest === expected) return undefined;
  const first = parts.findIndex((part, i) => partLabel(part) !== found.turn.request[i]);
  const part = parts[first];
  const where =
    part === undefined
      ? 'it has fewer parts'
      : `part ${first + 1} (${part.what}) was ${found.turn.request[first] ?? 'not there'}, now ${partLabel(part)}: ${quoted(part.text)}`;
  const what = `the request differs (digest ${expected.slice(0, 12)} recorded, ${digest.slice(0, 12)} now): ${where}`;
  return diverged(replay, place(replay, found), found.turn.turn, what);
}

const place = ({ recording }: Replay, { line }: Found): string => `${recording.name}:${line}`;

function diverged({ key, hint }: Replay, where: string, turn: number, what: string): CallFailure {
  const of = `${key.role}${key.unit === undefined ? '' : ` of ${key.unit}`}, round ${key.round}, attempt ${key.attempt}, turn ${turn}`;
  return failure('replay_diverged', `${where} (${of}): ${what}${hint === '' ? '' : ` ${hint}`}`);
}

function difference(expected: string, actual: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === actual[at]) at += 1;
  const from = Math.max(0, at - 20);
  return `expected ${quoted(expected.slice(from))}, got ${quoted(actual.slice(from))}`;
}

const quoted = (text: string): string => JSON.stringify(text.length > 160 ? `${text.slice(0, 160)}…` : text);
