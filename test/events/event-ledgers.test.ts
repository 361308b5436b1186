import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { logLine } from '../../server/io/log-line.ts';
import type { LedgersPort } from '../../server/loop/ports.ts';
import { entry, eventLedgers, output, projectAt, status } from '../support/event-ledgers.ts';
import { EVERY_EVENT } from '../support/every-event.ts';
import { PROJECT } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const lines = (data: string, name: string) =>
  readFileSync(join(projectAt(data, PROJECT).root, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe("a project's ledgers", () => {
  it('hold each kind of event, numbered over timeline and stream together', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      const port: LedgersPort = ledgers;
      const events = Object.values(EVERY_EVENT);
      await port.append(PROJECT, 1, { events, source: 'loop' });
      const timeline = lines(data, 'timeline.ndjson');
      const stream = lines(data, 'stream.log');
      assert.deepEqual(
        timeline.map(({ kind }) => kind),
        events.map(({ kind }) => kind).filter((kind) => kind !== 'agent_output'),
      );
      assert.deepEqual(
        stream.map(({ seq }) => seq),
        events.map((_, i) => i + 1),
      );
      for (const { seq, ts } of timeline) assert.equal(stream[seq - 1].ts, ts);
      assert.equal(timeline.at(-1).pos, 1);
      await ledgers.closeAll();
    }));

  it('are lines with the documented checksum, of the documented members', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.append(PROJECT, 3, {
        events: [EVERY_EVENT.git_committed],
        source: 'pm',
        changelog: [{ kind: 'prd', rev: 1, tag: 'prd-rev-1', summary: 'a list' }],
        bugs: [{ bug: 'b-1', state: 'open' }],
      });
      const { kind: _, ...payload } = EVERY_EVENT.git_committed;
      const { sum, ...line } = lines(data, 'timeline.ndjson')[0];
      const { ts } = line;
      assert.match(ts, /^2026-01-01T00:00:\d\d\.000Z$/);
      assert.deepEqual(line, { seq: 1, ts, source: 'pm', kind: 'git_committed', ...payload, pos: 3 });
      assert.equal(logLine(line), `${JSON.stringify(line).slice(0, -1)},"sum":"${sum}"}`);
      const changelog = lines(data, 'changelog.ndjson')[0];
      assert.deepEqual(Object.keys(changelog), ['seq', 'ts', 'kind', 'rev', 'tag', 'summary', 'pos', 'sum']);
      assert.deepEqual(Object.keys(lines(data, 'bugs.ndjson')[0]), ['seq', 'ts', 'bug', 'state', 'pos', 'sum']);
      await ledgers.closeAll();
    }));

  it('take each journal position once, also across a restart', () =>
    inTempFolder(async (data) => {
      const first = eventLedgers(data).ledgers;
      assert.equal(await first.position(PROJECT), 0);
      await first.append(PROJECT, 1, entry('a', 'b'));
      await first.append(PROJECT, 1, entry('again'));
      await first.closeAll();
      const second = eventLedgers(data).ledgers;
      assert.equal(await second.position(PROJECT), 1);
      await second.append(PROJECT, 1, entry('again'));
      await second.append(PROJECT, 4, entry('c'));
      assert.equal(await second.position(PROJECT), 4);
      assert.deepEqual(
        lines(data, 'timeline.ndjson').map(({ detail }) => detail),
        ['a', 'b', 'c'],
      );
      assert.deepEqual(
        lines(data, 'timeline.ndjson'),
        lines(data, '../../../../.devloop/vaults/default/p-aaaaaaaa/ledgers/timeline.ndjson'),
      );
      await second.closeAll();
    }));

  it('are read by page', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      for (let i = 1; i <= 5; i++) await ledgers.append(PROJECT, i, entry(`e${i}`));
      const page = await ledgers.timeline(PROJECT, { after: 2, limit: 2 });
      assert.deepEqual(
        page.map(({ seq, detail }) => [seq, detail]),
        [
          [3, 'e3'],
          [4, 'e4'],
        ],
      );
      assert.equal('pos' in (page[0] ?? {}) || 'sum' in (page[0] ?? {}), false);
      await ledgers.closeAll();
    }));

  it('make no file before there is something to write', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      assert.deepEqual(await ledgers.open(PROJECT), { repaired: [] });
      await ledgers.append(PROJECT, 1, entry());
      for (const name of ['timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson'])
        assert.equal(existsSync(join(projectAt(data, PROJECT).root, name)), false);
      await ledgers.closeAll();
    }));

  it('keep what agents print on the stream only', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      ledgers.publish(PROJECT, output('before it is open'));
      await ledgers.append(PROJECT, 1, entry('a'));
      ledgers.publish(PROJECT, output('text'));
      await ledgers.closeAll();
      assert.deepEqual(
        lines(data, 'stream.log').map(({ seq, name }) => [seq, name]),
        [
          [1, 'agent.output'],
          [2, 'project.status'],
          [3, 'agent.output'],
        ],
      );
      assert.equal(lines(data, 'timeline.ndjson').length, 1);
    }));

  it('are not opened where the project is not found', () =>
    inTempFolder(async (data) => {
      const { ledgers, warnings } = eventLedgers(data, {
        locate: () => Promise.reject(new Error('no such project')),
      });
      await assert.rejects(ledgers.open(PROJECT), /no such project/);
      await assert.rejects(ledgers.append(PROJECT, 1, entry('a')), /no such project/);
      const { signal } = new AbortController();
      await assert.rejects(ledgers.follow(PROJECT, { signal }), /no such project/);
      ledgers.publish(PROJECT, output('lost'));
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(warnings.length, 1);
      await ledgers.closeAll();
    }));

  it('take 10,000 events, and replay them, with three seconds of work', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.open(PROJECT);
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: 10_000 }, (_, i) => ledgers.append(PROJECT, i + 1, entry(`event ${i}`))));
      let count = 0;
      const { signal } = new AbortController();
      for await (const batch of await ledgers.follow(PROJECT, { after: '0', signal })) {
        count += batch.length;
        if (count >= 10_000) break;
      }
      assert.equal(count, 10_000);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < 3_000_000, `${(user + system) / 1000} ms`);
      await ledgers.closeAll();
    }));

  it('refuse what cannot be written with the reason, and go on when it can', () =>
    inTempFolder(async (data) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.append(PROJECT, 1, entry('a'));
      const huge = { events: [{ ...status('x'), detail: 'x'.repeat(20_000_000) }], source: 'loop' } as const;
      await assert.rejects(ledgers.append(PROJECT, 2, huge), (error) => !isDevLoopError(error));
      await ledgers.append(PROJECT, 2, entry('b'));
      const timeline = lines(data, 'timeline.ndjson');
      assert.deepEqual(
        timeline.map(({ detail }) => detail),
        ['a', 'b'],
      );
      await ledgers.closeAll();
    }));
});
