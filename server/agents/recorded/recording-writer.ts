import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { writeFully } from '../../io/write-atomic.ts';
import type { ChatModel, ChatReply, ChatRequest } from '../model/chat-model.ts';
import type { CallWords } from './call-words.ts';
import {
  type ExpectedAnswer,
  NO_SUM,
  type RecordedTurn,
  type RecordingHeader,
  sealedLine,
  type TurnKey,
} from './recording-lines.ts';
import { partLabel, requestDigest, requestParts, shortDigest } from './request-parts.ts';

const SHOWN_OF_ANSWER = 400;

/** Writes a recording while calls run; several at once are kept apart by their keys. */
export interface RecordingWriter {
  readonly header: RecordingHeader;
  /** A model that answers as `chat` does and notes it; `close` writes the last turn. */
  record(
    chat: ChatModel,
    call: { readonly key: TurnKey; readonly words: CallWords },
  ): { readonly chat: ChatModel; close(): void };
}

/** Begins a recording in a new file; fails with EEXIST where there is one. */
export function createRecording(path: string, header: RecordingHeader): RecordingWriter {
  let sum = NO_SUM;
  const append = (content: object, flags: number) => {
    const sealed = sealedLine(content, sum);
    appendLine(path, sealed.line, flags);
    sum = sealed.sum;
  };
  append(header, constants.O_CREAT | constants.O_EXCL);
  return {
    header,
    record: (chat, { key, words }) => {
      let waiting: RecordedTurn | undefined;
      let turn = 0;
      const write = (answers: readonly ExpectedAnswer[]) => {
        if (waiting === undefined) return;
        append({ ...waiting, ...(answers.length === 0 ? {} : { expect: answers }) }, 0);
        waiting = undefined;
      };
      return {
        chat: {
          complete: async (request, signal, listener) => {
            write(waiting === undefined ? [] : answersIn(request, waiting, words));
            const reply = await chat.complete(request, signal, listener);
            turn += 1;
            if (reply.kind === 'reply')
              waiting = { ...key, turn, ...requestOf(request, words), ...decision(reply, words) };
            return reply;
          },
        },
        close: () => write([]),
      };
    },
  };
}

function requestOf(request: ChatRequest, words: CallWords): Pick<RecordedTurn, 'request_digest' | 'request'> {
  const parts = requestParts(request, words.neutral);
  return { request_digest: requestDigest(parts), request: parts.map(partLabel) };
}

function decision(
  reply: Extract<ChatReply, { readonly kind: 'reply' }>,
  words: CallWords,
): Pick<RecordedTurn, 'message' | 'tool_calls' | 'usage'> {
  return {
    message: words.kept(reply.message),
    tool_calls: reply.tool_calls.map((call) => ({ ...call, arguments: words.kept(call.arguments) })),
    usage: reply.usage,
  };
}

function answersIn(request: ChatRequest, turn: RecordedTurn, words: CallWords): readonly ExpectedAnswer[] {
  return turn.tool_calls.flatMap(({ id }) => {
    const answer = request.messages.findLast((message) => message.role === 'tool' && message.tool_call_id === id);
    if (answer === undefined) return [];
    const text = words.neutral(answer.content);
    return [{ tool_call_id: id, digest: shortDigest(text), text: text.slice(0, SHOWN_OF_ANSWER) }];
  });
}

function appendLine(path: string, line: string, flags: number): void {
  const fd = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW | flags, 0o644);
  try {
    writeFully(fd, Buffer.from(`${line}\n`));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
