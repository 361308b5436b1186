import { get, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { TOKEN } from './http-under-test.ts';

export interface EventReader {
  readonly response: IncomingMessage;
  readonly events: EventSourceMessage[];
  readonly comments: string[];
  /** Resolves when so many events are there. */
  until(count: number): Promise<readonly EventSourceMessage[]>;
  untilComment(): Promise<void>;
  /** Resolves when the server or we ended it. */
  readonly closed: Promise<void>;
  close(): void;
}

/** Opens an event stream and collects what comes. */
export function readEvents(url: string, headers: Readonly<Record<string, string>> = {}): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      { agent: false, headers: { authorization: `Bearer ${TOKEN}`, ...headers } },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
        else resolve(collect(response, () => request.destroy()));
      },
    );
    request.on('error', reject);
  });
}

function collect(response: IncomingMessage, close: () => void): EventReader {
  const events: EventSourceMessage[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  const parser = createParser({ onEvent: (event) => events.push(event), onComment: (text) => comments.push(text) });
  response.setEncoding('utf8').on('data', (text: string) => {
    parser.feed(text);
    wake();
  });
  response.on('error', () => undefined);
  const when = (there: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (there() && waiting.delete(look)) resolve();
      };
      waiting.add(look);
      look();
    });
  return {
    response,
    events,
    comments,
    until: async (count) => {
      await when(() => events.length >= count);
      return events;
    },
    untilComment: () => when(() => comments.length > 0),
    closed: new Promise((resolve) => response.once('close', () => resolve())),
    close,
  };
}
