import { EventEmitter, once } from 'node:events';
import type { ProjectId } from '../../../server/domain/ids.ts';
import type { FeedService, FollowFrom, StreamEvent, StreamItem, TimelineLine } from '../../../server/http/services.ts';

/** A feed over arrays. `drop` forgets the oldest events, as time does. */
export class FakeFeed implements FeedService {
  readonly logs = new Map<string, StreamEvent[]>();
  readonly pulls: number[] = [];
  private readonly dropped = new Map<string, number>();
  private readonly bell = new EventEmitter().setMaxListeners(0);

  publish(pid: string, name: string, payload: object): void {
    for (const channel of [pid, '*']) {
      const log = this.log(channel);
      log.push({ kind: 'event', id: String(log.length + 1), name, data: JSON.stringify(payload) });
    }
    this.bell.emit('event');
  }
  drop(pid: string, count: number): void {
    this.dropped.set(pid, count);
  }
  async follow(pid: ProjectId, from: FollowFrom): Promise<AsyncIterable<readonly StreamItem[]>> {
    return this.items(pid, from);
  }
  followAll(from: FollowFrom) {
    return this.items('*', from);
  }
  async timeline(pid: ProjectId, { after, limit }: { readonly after: number; readonly limit: number }) {
    return this.log(pid)
      .slice(after, after + limit)
      .map(
        (event): TimelineLine => ({
          seq: Number(event.id),
          ts: '2026-01-01T00:00:00Z',
          source: 'loop',
          kind: event.name,
        }),
      );
  }

  private log(channel: string): StreamEvent[] {
    const log = this.logs.get(channel) ?? [];
    this.logs.set(channel, log);
    return log;
  }
  private async *items(channel: string, { after, signal }: FollowFrom): AsyncGenerator<readonly StreamItem[]> {
    const log = this.log(channel);
    const oldest = this.dropped.get(channel) ?? 0;
    let at = after === undefined ? log.length : Number(after);
    if (at < oldest) {
      yield [{ kind: 'reset', oldest: String(oldest + 1) }];
      at = oldest;
    }
    while (!signal.aborted) {
      if (at >= log.length) {
        await Promise.race([once(this.bell, 'event', { signal }), once(signal, 'abort')]).catch(() => undefined);
        continue;
      }
      const batch = log.slice(at);
      this.pulls.push(batch.length);
      at += batch.length;
      yield batch;
    }
  }
}
