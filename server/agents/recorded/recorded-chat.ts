import { type AgentCall, type CallFailure, failure } from '../driver.ts';
import type { OpenChat } from '../model/model-driver.ts';
import { callWords } from './call-words.ts';
import { type RecordingHeader, turnKey } from './recording-lines.ts';
import { createRecording, type RecordingWriter } from './recording-writer.ts';

/** Wraps the opening of chats so that all of them are written to one recording, which is of one requirement. */
export function recordedChat(
  openChat: (call: AgentCall) => OpenChat | CallFailure,
  to: {
    /** Absolute path of a new file; it is made at the first call. */
    readonly path: string;
    readonly source: RecordingHeader['source'];
    /** YYYY-MM-DD. */
    readonly date: () => string;
    readonly secretsOf: (call: AgentCall) => readonly string[];
  },
): (call: AgentCall) => OpenChat | CallFailure {
  let writer: RecordingWriter | undefined;
  return (call) => {
    const opened = openChat(call);
    if (opened.kind === 'failed') return opened;
    const { requirement } = call.context;
    writer ??= createRecording(to.path, header(requirement, opened, to));
    if (writer.header.requirement !== requirement)
      return failure('not_started', 'the recording that is being written is of another requirement');
    const words = callWords(call.context, call.input, to.secretsOf(call));
    const { chat, close } = writer.record(opened.chat, { key: turnKey(call.role, call.context), words });
    return {
      ...opened,
      chat,
      close: () => {
        close();
        opened.close?.();
      },
    };
  };
}

function header(
  requirement: string,
  { about }: OpenChat,
  { source, date }: { readonly source: RecordingHeader['source']; readonly date: () => string },
): RecordingHeader {
  return {
    schema: 1,
    source,
    ...(about.model === undefined ? {} : { model: about.model }),
    date: date(),
    redaction: 'secrets',
    requirement,
  };
}
