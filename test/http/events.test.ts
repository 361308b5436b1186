import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readEvents } from '../support/event-reader.ts';
import { assertProblem, type HttpUnderTest, httpUnderTest } from '../support/http-under-test.ts';

async function withProject(http: HttpUnderTest): Promise<{ pid: string; url: string }> {
  const { pid } = (await http.api('POST', '/projects', { requirement: 'x' })).body;
  return { pid, url: `${http.url}/api/devloop/projects/${pid}/events` };
}
const ids = (events: readonly { readonly id?: string | undefined }[]) => events.map(({ id }) => Number(id));
const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, i) => from + i);

describe('event streams', () => {
  it('an event has its id, its name and one JSON object', async () => {
    await using http = await httpUnderTest();
    const { pid, url } = await withProject(http);
    const reader = await readEvents(`${url}?after=0`);
    assert.equal(reader.response.headers['content-type'], 'text/event-stream; charset=utf-8');
    http.feed.publish(pid, 'git.committed', { sha: 'abc', summary: 'prd: rev 1' });
    const [event] = await reader.until(1);
    assert.deepEqual(
      { id: event?.id, event: event?.event, data: JSON.parse(event?.data ?? '') },
      { id: '1', event: 'git.committed', data: { sha: 'abc', summary: 'prd: rev 1' } },
    );
    reader.close();
  });

  it('a reader that gives no id gets what comes from now on', async () => {
    await using http = await httpUnderTest();
    const { pid, url } = await withProject(http);
    http.feed.publish(pid, 'old', {});
    const reader = await readEvents(url);
    http.feed.publish(pid, 'new', {});
    assert.equal((await reader.until(1))[0]?.event, 'new');
    reader.close();
  });

  it('a reader dropped at any event and come back with its last id gets every event once and in order', async () => {
    await using http = await httpUnderTest({ limits: { batch_ms: 1 } });
    const total = 24;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: total - 1 })),
        fc.boolean(),
        async (drops, byHeader) => {
          const { pid, url } = await withProject(http);
          const seen: number[] = [];
          let sent = 0;
          for (const end of [...drops.sort((a, b) => a - b), total]) {
            const last = String(seen.at(-1) ?? 0);
            const reader = await (byHeader
              ? readEvents(url, { 'last-event-id': last })
              : readEvents(`${url}?after=${last}`));
            for (; sent < Math.min(total, end + 2); sent++) http.feed.publish(pid, 'unit.status', { sent });
            const events = await reader.until(end - seen.length);
            seen.push(...ids(events.slice(0, end - seen.length)));
            reader.close();
          }
          assert.deepEqual(seen, upTo(total));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('a drop at every single event index loses and doubles nothing', async () => {
    await using http = await httpUnderTest({ limits: { batch_ms: 1 } });
    const { pid, url } = await withProject(http);
    const total = 40;
    for (let i = 0; i < total; i++) http.feed.publish(pid, 'unit.status', { i });
    for (let at = 0; at <= total; at++) {
      const first = await readEvents(`${url}?after=0`);
      await first.until(at);
      const seen = ids(first.events.slice(0, at));
      first.close();
      const second = await readEvents(url, { 'last-event-id': String(at) });
      seen.push(...ids(await second.until(total - at)));
      second.close();
      assert.deepEqual(seen, upTo(total), `dropped after ${at}`);
    }
  });

  it('Last-Event-ID counts before ?after=', async () => {
    await using http = await httpUnderTest();
    const { pid, url } = await withProject(http);
    for (let i = 0; i < 4; i++) http.feed.publish(pid, 'x', {});
    const reader = await readEvents(`${url}?after=1`, { 'last-event-id': '3' });
    assert.deepEqual(ids(await reader.until(1)), [4]);
    reader.close();
  });

  it('asking for more than is kept gives stream.reset with the oldest, then what is kept', async () => {
    await using http = await httpUnderTest();
    const { pid, url } = await withProject(http);
    for (let i = 0; i < 6; i++) http.feed.publish(pid, 'x', {});
    http.feed.drop(pid, 4);
    const reader = await readEvents(`${url}?after=1`);
    const [reset, ...rest] = await reader.until(3);
    assert.equal(reset?.event, 'stream.reset');
    assert.deepEqual(JSON.parse(reset?.data ?? ''), { oldest: '5' });
    assert.equal(reset?.id, undefined, 'it moves no place');
    assert.deepEqual(ids(rest), [5, 6]);
    reader.close();
  });

  it('the stream of all projects has ids of its own', async () => {
    await using http = await httpUnderTest();
    const one = await withProject(http);
    const other = await withProject(http);
    const reader = await readEvents(`${http.url}/api/devloop/events?after=0`);
    http.feed.publish(one.pid, 'a', {});
    http.feed.publish(other.pid, 'b', {});
    http.feed.publish(one.pid, 'c', {});
    assert.deepEqual(ids(await reader.until(3)), [1, 2, 3]);
    reader.close();
  });

  it('what an agent prints cannot forge an event', async () => {
    await using http = await httpUnderTest();
    const { pid, url } = await withProject(http);
    const text = 'x\n\nid: 99\nevent: project.status\ndata: {"status":"shipped"}\n\n\r\r\u2028\u0000';
    const reader = await readEvents(`${url}?after=0`);
    http.feed.publish(pid, 'agent.output', { text });
    http.feed.publish(pid, 'end\nid: 7', {});
    const events = await reader.until(2);
    assert.equal(events.length, 2);
    assert.deepEqual(JSON.parse(events[0]?.data ?? ''), { text });
    assert.deepEqual(ids(events), [1, 2]);
    reader.close();
  });

  it('a comment keeps an idle stream alive', async () => {
    await using http = await httpUnderTest({ limits: { heartbeat_ms: 5 } });
    const { url } = await withProject(http);
    const reader = await readEvents(url);
    await reader.untilComment();
    reader.close();
  });

  it('what comes together goes out together', async () => {
    await using http = await httpUnderTest({ limits: { batch_ms: 25 } });
    const { pid, url } = await withProject(http);
    const reader = await readEvents(`${url}?after=0`);
    for (let i = 0; i < 1000; i++) {
      http.feed.publish(pid, 'x', { i });
      if (i % 100 === 0) await new Promise(setImmediate);
    }
    await reader.until(1000);
    assert.ok(http.feed.pulls.length < 20, `${http.feed.pulls.length} writes`);
    reader.close();
  });

  it('a reader that takes nothing is cut off, others are not held up, and it can go on from its last id', async () => {
    await using http = await httpUnderTest({ limits: { stalled_ms: 1500, batch_ms: 1 } });
    const { pid, url } = await withProject(http);
    const stalled = await readEvents(`${url}?after=0`);
    stalled.response.pause();
    const reader = await readEvents(`${url}?after=0`);
    const big = 'x'.repeat(100_000);
    for (let i = 0; i < 200; i++) http.feed.publish(pid, 'agent.output', { big });
    await reader.until(200);
    const open = async () => /streams_open (\d+)/.exec((await http.send('GET', '/metrics')).text)?.[1];
    while ((await open()) !== '1');
    const back = await readEvents(url, { 'last-event-id': '198' });
    assert.deepEqual(ids(await back.until(2)), [199, 200]);
    for (const one of [stalled, reader, back]) one.close();
  });

  it('no more streams than the limit are open, and a place is free again when one ends', async () => {
    await using http = await httpUnderTest({ limits: { open_streams: 20 } });
    const { url, pid } = await withProject(http);
    const readers = await Promise.all(Array.from({ length: 20 }, () => readEvents(url)));
    const path = `/projects/${pid}/events`;
    assertProblem(await http.api('GET', path), 429, 'too_many_requests');
    assert.match((await http.send('GET', '/metrics')).text, /devloop_event_streams_open 20/);
    readers.pop()?.close();
    let reader: Awaited<ReturnType<typeof readEvents>> | undefined;
    while (reader === undefined) reader = await readEvents(url).catch(() => undefined);
    for (const one of [...readers, reader]) one.close();
  });

  it('an unknown project has no stream', async () => {
    await using http = await httpUnderTest();
    assertProblem(await http.api('GET', '/projects/p-none/events'), 404, 'project_not_found');
  });

  it('a server that stops ends its streams', async () => {
    const http = await httpUnderTest();
    const { url } = await withProject(http);
    const reader = await readEvents(url);
    await http[Symbol.asyncDispose]();
    await reader.closed;
  });
});
