import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseProjectId } from '../../server/domain/ids.ts';
import type { StreamItem } from '../../server/events/channel.ts';
import type { EventLedgers } from '../../server/events/index.ts';
import { entry, eventLedgers, output, projectAt } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const OTHER = parseProjectId('p-bbbbbbbb');
/** Small, so that a test begins many files and drops some. */
const SMALL = { file_bytes: 1500, total_bytes: 1_000_000, keep_ms: 1e12 };

type Follow = (from: { after?: string; signal: AbortSignal }) => AsyncIterable<readonly StreamItem[]>;

/** A reader that notes what it is given; it can come back for what it has not seen. */
class Reader {
  readonly items: StreamItem[] = [];
  readonly #after: string | undefined;
  readonly #pause: () => Promise<void>;
  #controller = new AbortController();
  #done = Promise.resolve();

  constructor(after: string | undefined, pause: () => Promise<void> = async () => {}) {
    this.#after = after;
    this.#pause = pause;
  }

  get ids(): readonly number[] {
    return this.items.map((item) => (item.kind === 'event' ? Number(item.id) : Number.NaN));
  }

  get texts(): readonly string[] {
    return this.items.map((item) => {
      if (item.kind === 'reset') return `reset ${item.oldest}`;
      const data = JSON.parse(item.data);
      return `${data.pid} ${data.text ?? data.detail}`;
    });
  }

  read(follow: Follow): this {
    const last = this.items.at(-1);
    this.#controller = new AbortController();
    this.#done = this.#read(follow, last?.kind === 'event' ? last.id : this.#after);
    return this;
  }

  async until(count: number): Promise<void> {
    while (this.items.length < count) await new Promise((resolve) => setImmediate(resolve));
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    await this.#done;
  }

  async #read(follow: Follow, after: string | undefined): Promise<void> {
    const { signal } = this.#controller;
    for await (const batch of follow(after === undefined ? { signal } : { after, signal })) {
      this.items.push(...batch);
      await this.#pause();
    }
  }
}

const of = (ledgers: EventLedgers, pid = PROJECT): Follow =>
  async function* (from) {
    yield* await ledgers.follow(pid, from);
  };
const ofAll =
  (ledgers: EventLedgers): Follow =>
  (from) =>
    ledgers.followAll(from);

const step = fc.record({
  kind: fc.constantFrom('append', 'output', 'output', 'read', 'read', 'restart'),
  count: fc.integer({ min: 1, max: 4 }),
  back: fc.nat(60),
  lazy: fc.boolean(),
});

describe("a project's stream", () => {
  it('follows from now without an id, and replays what came after one', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.append(PROJECT, 1, entry('a', 'b', 'c'));
      const now = new Reader(undefined).read(of(ledgers));
      const late = new Reader('1').read(of(ledgers));
      await late.until(2);
      await ledgers.append(PROJECT, 2, entry('d'));
      await Promise.all([now.until(1), late.until(3)]);
      assert.deepEqual(now.ids, [4]);
      assert.deepEqual(late.ids, [2, 3, 4]);
      await Promise.all([now.stop(), late.stop()]);
      await ledgers.closeAll();
    }));

  it('sends the name and one line of data with project and time', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.open(PROJECT);
      ledgers.publish(PROJECT, output('a\nid: 7\n\nevent: forged'));
      const reader = new Reader('0').read(of(ledgers));
      await reader.until(1);
      const [item] = reader.items;
      assert.ok(item?.kind === 'event');
      assert.deepEqual([item.id, item.name], ['1', 'agent.output']);
      assert.equal(item.data.includes('\n'), false);
      const { ts, ...rest } = JSON.parse(item.data);
      assert.deepEqual(rest, { call: 'c-1', text: 'a\nid: 7\n\nevent: forged', pid: PROJECT });
      assert.match(ts, /^2026-/);
      await reader.stop();
      await ledgers.closeAll();
    }));

  it('shares one object with all who keep up', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.open(PROJECT);
      const readers = [1, 2, 3].map(() => new Reader(undefined).read(of(ledgers)));
      await new Promise((resolve) => setImmediate(resolve));
      await ledgers.append(PROJECT, 1, entry('a'));
      await Promise.all(readers.map((reader) => reader.until(1)));
      assert.equal(new Set(readers.map(({ items }) => items[0])).size, 1);
      await Promise.all(readers.map((reader) => reader.stop()));
      await ledgers.closeAll();
    }));

  it('gives each reader everything after its id once and in order, however slow it is, over files and restarts', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), (steps) =>
        inTempFolder(async (data) => {
          let { ledgers } = eventLedgers(data, { limits: SMALL });
          await ledgers.open(PROJECT);
          const witness = new Reader('0').read(of(ledgers));
          const readers = [{ reader: witness, after: 0 }];
          let [sent, position] = [0, 0];
          const complete = async () => {
            for (const { reader, after } of readers) {
              await reader.until(sent - after);
              assert.deepEqual(
                reader.ids,
                Array.from({ length: sent - after }, (_, i) => after + i + 1),
              );
            }
          };
          for (const { kind, count, back, lazy } of steps) {
            if (kind === 'append') {
              await ledgers.append(PROJECT, ++position, entry(...Array.from({ length: count }, () => 'x')));
              sent += count;
            } else if (kind === 'output') {
              for (let i = 0; i < count * 8; i++) ledgers.publish(PROJECT, output('y'.repeat(i)));
              sent += count * 8;
            } else if (kind === 'read') {
              const after = Math.max(0, witness.items.length - back);
              const pause = () =>
                new Promise<void>((resolve) => (lazy ? setTimeout(resolve, 3) : setImmediate(resolve)));
              readers.push({ reader: new Reader(String(after), pause).read(of(ledgers)), after });
            } else {
              if (lazy) await complete();
              await ledgers.closeAll();
              await Promise.all(readers.map(({ reader }) => reader.stop()));
              ({ ledgers } = eventLedgers(data, { limits: SMALL }));
              for (const { reader } of readers) reader.read(of(ledgers));
            }
          }
          await complete();
          await Promise.all(readers.map(({ reader }) => reader.stop()));
          await ledgers.closeAll();
        }),
      ),
      { numRuns: 15 },
    ));

  it('begins new files, and forgets the oldest by size; who asks for more is told the oldest', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data, { limits: { ...SMALL, total_bytes: 5000 } });
      const early = new Reader('0').read(of(ledgers));
      for (let i = 1; i <= 60; i++) await ledgers.append(PROJECT, i, entry('x'.repeat(100)));
      await early.until(60);
      assert.deepEqual(
        early.ids,
        Array.from({ length: 60 }, (_, i) => i + 1),
      );
      const files = readdirSync(join(projectAt(data, PROJECT).state, 'stream'));
      assert.ok(files.length > 1 && files.length < 6, files.join());
      const oldest = Math.min(...files.map((name) => Number.parseInt(name, 10)));
      assert.ok(oldest > 20);
      const late = new Reader('3').read(of(ledgers));
      await late.until(62 - oldest);
      assert.deepEqual(late.items[0], { kind: 'reset', oldest: String(oldest) });
      assert.deepEqual(
        late.ids.slice(1),
        Array.from({ length: 61 - oldest }, (_, i) => oldest + i),
      );
      await Promise.all([early.stop(), late.stop()]);
      await ledgers.closeAll();
    }));

  it('forgets what is older than it is kept, at the next start', () =>
    inTempFolder(async (data) => {
      const first = eventLedgers(data, { limits: SMALL }).ledgers;
      for (let i = 1; i <= 40; i++) await first.append(PROJECT, i, entry('x'.repeat(100)));
      await first.closeAll();
      const { ledgers } = eventLedgers(data, { limits: { ...SMALL, keep_ms: 1 }, clock: { now: () => new Date() } });
      const reader = new Reader('0').read(of(ledgers));
      await reader.until(2);
      assert.equal(reader.items[0]?.kind, 'reset');
      assert.equal(readdirSync(join(projectAt(data, PROJECT).state, 'stream')).length, 1);
      assert.equal(await ledgers.position(PROJECT), 40);
      await reader.stop();
      await ledgers.closeAll();
    }));

  it('tells a reader with an id of another history to begin anew', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.append(PROJECT, 1, entry('a'));
      const reader = new Reader('500').read(of(ledgers));
      await reader.until(2);
      assert.deepEqual(reader.texts, ['reset 1', `${PROJECT} a`]);
      await reader.stop();
      await ledgers.closeAll();
    }));

  it('refuses an id that is none', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      const { signal } = new AbortController();
      for (const after of ['x', '-1', '1.5', '', '9'.repeat(30)])
        await assert.rejects((await ledgers.follow(PROJECT, { after, signal })).next(), (error) =>
          isDevLoopError(error, 'validation_failed'),
        );
      await ledgers.closeAll();
    }));

  it('says that something is missing where its file was damaged under a reader', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data, { limits: SMALL });
      for (let i = 1; i <= 40; i++) await ledgers.append(PROJECT, i, entry('x'.repeat(100)));
      await ledgers.closeAll();
      const again = eventLedgers(data, { limits: SMALL }).ledgers;
      await again.open(PROJECT);
      const folder = join(projectAt(data, PROJECT).state, 'stream');
      for (const name of readdirSync(folder)) truncateSync(join(folder, name), 0);
      truncateSync(join(projectAt(data, PROJECT).root, 'stream.log'), 0);
      const reader = new Reader('5').read(of(again));
      await reader.until(1);
      assert.deepEqual(reader.items, [{ kind: 'reset', oldest: '41' }]);
      await again.append(PROJECT, 41, entry('after'));
      await reader.until(2);
      assert.match(reader.texts[1] ?? '', /after$/);
      await reader.stop();
      await again.closeAll();
    }));
});

describe('the stream of all projects', () => {
  const order = (texts: readonly string[]) => [...texts].sort();

  it('has the events of every project under ids of its own, and replays them across a restart', () =>
    inTempFolder(async (data) => {
      const first = eventLedgers(data).ledgers;
      await first.append(PROJECT, 1, entry('a1', 'a2'));
      await first.append(OTHER, 1, entry('b1'));
      await first.closeAll();
      const { ledgers } = eventLedgers(data);
      const reader = new Reader('0').read(ofAll(ledgers));
      await ledgers.append(OTHER, 2, entry('b2'));
      await reader.until(4);
      assert.deepEqual(reader.ids, [1, 2, 3, 4]);
      assert.deepEqual(reader.texts, [`${PROJECT} a1`, `${PROJECT} a2`, `${OTHER} b1`, `${OTHER} b2`]);
      await reader.stop();
      await ledgers.closeAll();
    }));

  it('gets what a killed server had sent in a project and not noted, once', () =>
    inTempFolder(async (data) => {
      const first = eventLedgers(data).ledgers;
      await first.append(PROJECT, 1, entry('a1'));
      await first.append(OTHER, 1, entry('b1'));
      await first.append(PROJECT, 2, entry('a2', 'a3'));
      await first.append(OTHER, 2, entry('b2'));
      await first.closeAll();
      const file = join(data, '.devloop/events/current.ndjson');
      const lines = readFileSync(file, 'utf8').split('\n');
      for (let kept = 0; kept < lines.length; kept++) {
        writeFileSync(
          file,
          lines
            .slice(0, kept)
            .map((line) => `${line}\n`)
            .join(''),
        );
        const { ledgers } = eventLedgers(data);
        await ledgers.open(PROJECT);
        await ledgers.open(OTHER);
        const reader = new Reader('0').read(ofAll(ledgers));
        await reader.until(5);
        assert.deepEqual(
          order(reader.texts),
          order([`${PROJECT} a1`, `${PROJECT} a2`, `${PROJECT} a3`, `${OTHER} b1`, `${OTHER} b2`]),
        );
        await ledgers.closeAll();
        assert.equal(reader.items.length, 5);
        await reader.stop();
      }
    }));

  it('goes on after its file could not be written, and lacks nothing', () =>
    inTempFolder(async (data) => {
      const { ledgers, warnings } = eventLedgers(data);
      await ledgers.append(PROJECT, 1, entry('a1'));
      await ledgers.append(OTHER, 1, entry('b1'));
      const reader = new Reader('0').read(ofAll(ledgers));
      await reader.until(2);
      rmSync(join(data, '.devloop/events'), { recursive: true });
      writeFileSync(join(data, '.devloop/events'), '');
      await ledgers.append(PROJECT, 2, entry('a2'));
      assert.ok(warnings.length > 0);
      rmSync(join(data, '.devloop/events'));
      await ledgers.append(OTHER, 2, entry('b2'));
      await ledgers.append(PROJECT, 3, entry('a3'));
      const anew = new Reader('0').read(ofAll(ledgers));
      await anew.until(5);
      assert.deepEqual(
        order(anew.texts),
        order([`${PROJECT} a1`, `${PROJECT} a2`, `${PROJECT} a3`, `${OTHER} b1`, `${OTHER} b2`]),
      );
      await Promise.all([reader.stop(), anew.stop()]);
      await ledgers.closeAll();
    }));

  it('forgets a deleted project, and keeps its numbers', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data, { limits: SMALL });
      for (let i = 1; i <= 12; i++) {
        await ledgers.append(PROJECT, i, entry(`a${i}`));
        await ledgers.append(OTHER, i, entry(`b${i} "pid":"${PROJECT}"`));
      }
      const before = new Reader('0').read(ofAll(ledgers));
      await before.until(24);
      await ledgers.close(PROJECT);
      ledgers.forget(PROJECT);
      const files = readdirSync(join(data, '.devloop/events'), { recursive: true, withFileTypes: true });
      for (const file of files.filter((one) => one.isFile()))
        assert.equal(readFileSync(join(file.parentPath, file.name), 'utf8').includes('"detail":"a'), false);
      const after = new Reader('0').read(ofAll(ledgers));
      await after.until(12);
      await ledgers.append(OTHER, 13, entry('next'));
      await after.until(13);
      await before.until(25);
      assert.equal(
        after.texts.every((text) => text.startsWith(OTHER)),
        true,
      );
      assert.equal(after.ids.at(-1), 25);
      assert.equal(before.ids.at(-1), 25);
      await Promise.all([before.stop(), after.stop()]);
      await ledgers.closeAll();
    }));
});
