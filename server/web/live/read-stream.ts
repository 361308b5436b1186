import { createParser } from 'eventsource-parser';

export interface StreamMessage {
  /** Absent where the event has none of its own: `stream.reset`. */
  readonly id: string | undefined;
  readonly name: string;
  readonly data: string;
}

/** Reads server-sent events out of a body, in batches as they arrive; ends when the body does. Calls back at every part, comments included. */
export async function* readStream(
  body: ReadableStream<Uint8Array>,
  onPart: () => void = () => {},
): AsyncGenerator<readonly StreamMessage[]> {
  const decoder = new TextDecoder();
  let batch: StreamMessage[] = [];
  const parser = createParser({
    onEvent: ({ id, event = 'message', data }) => batch.push({ id, name: event, data }),
  });
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onPart();
    parser.feed(decoder.decode(value, { stream: true }));
    if (batch.length > 0) yield batch;
    batch = [];
  }
}
