import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { logLine } from '../../server/io/log-line.ts';
import { entry, eventLedgers, output, projectAt, status } from '../support/event-ledgers.ts';
import { PROJECT } from '../support/project-folders.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const FILES = ['timeline.ndjson', 'bugs.ndjson', 'changelog.ndjson', 'stream.log'];
const full = (detail: string) => ({
  events: [status(detail)],
  source: 'loop',
  changelog: [{ kind: 'prd', rev: 1, summary: detail }],
  bugs: [{ bug: 'b-1', state: 'open' }],
});

/** What an agent can do to a file: each changes what a reader would see. */
const TAMPERINGS: Readonly<Record<string, (path: string) => void>> = {
  'a line is forged': (path) =>
    appendFileSync(path, `${logLine({ seq: 99, ts: '2026-01-01T00:00:00Z', kind: 'x' })}\n`),
  'half a line is added': (path) => appendFileSync(path, '{"seq":'),
  'a byte is changed': (path) => {
    const bytes = readFileSync(path);
    bytes[12] = (bytes[12] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  },
  'its end is cut off': (path) => truncateSync(path, 30),
  'it is emptied': (path) => truncateSync(path, 0),
  'it is deleted': (path) => rmSync(path),
  'it is a link': (path) => {
    rmSync(path);
    symlinkSync('/etc/hostname', path);
  },
  'it is a folder': (path) => {
    rmSync(path);
    mkdirSync(join(path, 'full'), { recursive: true });
  },
  'it is a pipe': (path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'it has another name outside': (path) => linkSync(path, `${path}.${readdirSync(join(path, '..')).length}`),
};

async function inLedgers(
  use: (place: { readonly data: string; readonly root: string; readonly before: readonly Buffer[] }) => Promise<void>,
): Promise<void> {
  await inTempFolder(async (data) => {
    const { root } = projectAt(data, PROJECT);
    const { ledgers } = eventLedgers(data);
    await ledgers.append(PROJECT, 1, full('one'));
    await ledgers.append(PROJECT, 2, full('two'));
    await ledgers.closeAll();
    await use({ data, root, before: FILES.map((name) => readFileSync(join(root, name))) });
  });
}

const intact = (root: string, before: readonly Buffer[]): void => {
  for (const [i, name] of FILES.entries()) {
    assert.ok(lstatSync(join(root, name)).isFile(), name);
    assert.equal(lstatSync(join(root, name)).nlink, 1, name);
    assert.deepEqual(readFileSync(join(root, name)).subarray(0, before[i]?.length), before[i], name);
  }
};

describe('ledgers that somebody else wrote to', () => {
  for (const [what, tamper] of Object.entries(TAMPERINGS)) {
    it(`are noticed and put right where ${what}`, () =>
      inLedgers(async ({ data, root, before }) => {
        const { ledgers } = eventLedgers(data);
        assert.deepEqual(await ledgers.check(PROJECT), []);
        for (const name of FILES) {
          tamper(join(root, name));
          assert.deepEqual(await ledgers.check(PROJECT), [name]);
          assert.deepEqual(await ledgers.repair(PROJECT), [name]);
          assert.deepEqual(await ledgers.repair(PROJECT), []);
          intact(root, before);
        }
        await ledgers.append(PROJECT, 3, full('three'));
        assert.deepEqual(await ledgers.check(PROJECT), []);
        await ledgers.closeAll();
      }));
  }

  for (const [what, tamper] of Object.entries(TAMPERINGS)) {
    it(`are right after the next start where ${what}, and after the next append`, () =>
      inLedgers(async ({ data, root, before }) => {
        for (const name of FILES.slice(0, 3)) tamper(join(root, name));
        const { ledgers } = eventLedgers(data);
        await ledgers.open(PROJECT);
        intact(root, before);
        for (const name of FILES.slice(0, 3)) tamper(join(root, name));
        await ledgers.append(PROJECT, 3, full('three'));
        const wrong = await ledgers.check(PROJECT);
        await ledgers.repair(PROJECT);
        intact(root, before);
        // A changed byte leaves the length as it was: an append does not look at it.
        if (what !== 'a byte is changed') assert.deepEqual(wrong, []);
        await ledgers.closeAll();
      }));

    it(`are blamed on whoever is asked about next where ${what}, though the server wrote to them since`, () =>
      inLedgers(async ({ data, root, before }) => {
        const { ledgers } = eventLedgers(data);
        await ledgers.open(PROJECT);
        for (const name of FILES) tamper(join(root, name));
        await ledgers.append(PROJECT, 3, full('three'));
        assert.deepEqual((await ledgers.repair(PROJECT)).toSorted(), FILES.toSorted());
        assert.deepEqual(await ledgers.repair(PROJECT), []);
        intact(root, before);
        await ledgers.closeAll();
      }));
  }

  it('keep what was not theirs', () =>
    inLedgers(async ({ data, root }) => {
      appendFileSync(join(root, 'timeline.ndjson'), 'forged');
      const { ledgers, warnings } = eventLedgers(data);
      const { repaired } = await ledgers.open(PROJECT);
      assert.equal(repaired.length, 1);
      assert.equal(warnings.length, 1);
      const torn = join(root, 'agent-state/torn');
      assert.equal(readFileSync(join(torn, readdirSync(torn)[0] ?? ''), 'utf8'), 'forged');
      await ledgers.closeAll();
    }));

  it('keep it in the state folder where somebody made agent-state/ lead elsewhere', () =>
    inLedgers(async ({ data, root }) => {
      mkdirSync(join(data, 'elsewhere'));
      symlinkSync(join(data, 'elsewhere'), join(root, 'agent-state'));
      appendFileSync(join(root, 'timeline.ndjson'), 'forged');
      const { ledgers } = eventLedgers(data);
      await ledgers.open(PROJECT);
      const torn = join(projectAt(data, PROJECT).state, 'torn');
      assert.equal(readFileSync(join(torn, readdirSync(torn)[0] ?? ''), 'utf8'), 'forged');
      assert.deepEqual(readdirSync(join(data, 'elsewhere')), []);
      await ledgers.closeAll();
    }));

  it('are not noticed falsely: touched files, and lines of our own that were being written', () =>
    inLedgers(async ({ data, root }) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.open(PROJECT);
      for (const name of FILES) utimesSync(join(root, name), 1, 1);
      ledgers.publish(PROJECT, output('text'));
      const append = ledgers.append(PROJECT, 3, full('three'));
      assert.deepEqual(await ledgers.check(PROJECT), []);
      await append;
      await ledgers.closeAll();
    }));

  it('never give a number twice, though the stream is deleted', () =>
    inLedgers(async ({ data, root }) => {
      const first = eventLedgers(data).ledgers;
      await first.open(PROJECT);
      for (let i = 0; i < 5; i++) first.publish(PROJECT, output(`${i}`));
      await first.closeAll();
      const sent = readFileSync(join(root, 'stream.log'), 'utf8').trimEnd().split('\n');
      const last = JSON.parse(sent.at(-1) ?? '').seq;
      assert.equal(last, 7);
      rmSync(join(root, 'stream.log'));
      const { ledgers } = eventLedgers(data);
      await ledgers.append(PROJECT, 3, entry('after'));
      const [line] = await ledgers.timeline(PROJECT, { after: 2, limit: 1 });
      assert.ok((line?.seq ?? 0) > last);
      const names = readFileSync(join(root, 'stream.log'), 'utf8').trimEnd().split('\n');
      assert.equal(names.length, 3, 'the events of the timeline are on the stream again');
      await ledgers.closeAll();
    }));

  it('take over the lines of a project that was brought in, without its journal positions', () =>
    inLedgers(async ({ data, root, before }) => {
      rmSync(join(data, '.devloop'), { recursive: true });
      const first = eventLedgers(data).ledgers;
      assert.deepEqual(await first.open(PROJECT), { repaired: [] });
      assert.equal(await first.position(PROJECT), 0);
      await first.closeAll();
      const second = eventLedgers(data).ledgers;
      assert.equal(await second.position(PROJECT), 0);
      await second.append(PROJECT, 1, full('three'));
      intact(root, before);
      const lines = await second.timeline(PROJECT, { after: 0, limit: 9 });
      assert.deepEqual(
        lines.map(({ seq, detail }) => [seq, detail]),
        [
          [1, 'one'],
          [2, 'two'],
          [3, 'three'],
        ],
      );
      await second.closeAll();
      assert.equal(await eventLedgers(data).ledgers.position(PROJECT), 1);
    }));

  it('are opened though the project’s file is a thousand times as long as it should be', () =>
    inLedgers(async ({ data, root, before }) => {
      truncateSync(join(root, 'timeline.ndjson'), 3_000_000_000);
      const { ledgers } = eventLedgers(data);
      const { repaired } = await ledgers.open(PROJECT);
      assert.match(repaired[0] ?? '', /far too long; moved to /);
      intact(root, before);
      await ledgers.closeAll();
      assert.ok(existsSync(projectAt(data, PROJECT).state));
    }));

  it('are refused where the server’s own lines are lost while it runs', () =>
    inLedgers(async ({ data }) => {
      const { ledgers } = eventLedgers(data);
      await ledgers.open(PROJECT);
      const file = join(projectAt(data, PROJECT).state, 'ledgers/timeline.ndjson');
      truncateSync(file, 10);
      await assert.rejects(ledgers.append(PROJECT, 3, entry('three')), (error) =>
        isDevLoopError(error, 'ledger_damaged'),
      );
      await ledgers.closeAll();
    }));

  it('keep no changed line of the stream when a new file of it is begun', () =>
    inTempFolder(async (data) => {
      const { root, state } = projectAt(data, PROJECT);
      const { ledgers } = eventLedgers(data, { limits: { file_bytes: 1000, total_bytes: 1e6, keep_ms: 1e12 } });
      await ledgers.append(PROJECT, 1, entry('one'));
      const bytes = readFileSync(join(root, 'stream.log'));
      writeFileSync(join(root, 'stream.log'), bytes.toString().replace('"one"', '"two"'));
      for (let i = 2; i < 12; i++) await ledgers.append(PROJECT, i, entry(`entry ${i}`));
      await ledgers.closeAll();
      const files = readdirSync(join(state, 'stream')).map((name) => join(state, 'stream', name));
      const kept = [...files, join(root, 'stream.log')].map((path) => readFileSync(path, 'utf8')).join('');
      assert.ok(files.length > 0);
      assert.equal(kept.includes('"two"'), false);
      const details = kept
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).data.detail);
      assert.deepEqual(details.sort(), ['one', ...Array.from({ length: 10 }, (_, i) => `entry ${i + 2}`)].sort());
    }));

  it('are refused where a file of the server’s own is damaged', () =>
    inLedgers(async ({ data }) => {
      writeFileSync(join(projectAt(data, PROJECT).state, 'ledgers/sequence.json'), '{"schema":');
      await assert.rejects(eventLedgers(data).ledgers.open(PROJECT), (error) =>
        isDevLoopError(error, 'ledger_damaged'),
      );
    }));
});
