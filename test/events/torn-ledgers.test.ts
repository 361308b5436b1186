import assert from 'node:assert/strict';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { LedgerEntry } from '../../server/loop/ports.ts';
import { eventLedgers, projectAt, status } from '../support/event-ledgers.ts';
import { EVERY_EVENT } from '../support/every-event.ts';
import { PROJECT } from '../support/project-folders.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ENTRIES: readonly LedgerEntry[] = [
  { events: [status('one'), EVERY_EVENT.git_committed], source: 'loop' },
  { events: [status('zwei · 二')], source: 'pm', changelog: [{ kind: 'prd', rev: 1, summary: 'x' }] },
  { events: [], source: 'loop' },
  {
    events: [EVERY_EVENT.triage_done, EVERY_EVENT.agent_started, status('three')],
    source: 'loop',
    changelog: [
      { kind: 'sdd', rev: 1, summary: 'y' },
      { kind: 'units', rev: 1, summary: 'z' },
    ],
    bugs: [{ bug: 'b-1', state: 'open', run: 'r', category: 'code', units: ['store'], reason: 'r' }],
  },
  { events: [status('four')], source: 'loop' },
];

const own = (name: string): string => `.devloop/vaults/default/${PROJECT}/ledgers/${name}`;
const copy = (name: string): string => `companies/default/projects/${PROJECT}/${name}`;
/** In the order in which one append writes them. */
const FILES = ['changelog.ndjson', 'bugs.ndjson', 'timeline.ndjson'].flatMap((name) => [own(name), copy(name)]);
FILES.push(copy('stream.log'));

type Lengths = readonly number[];
const lengths = (data: string): Lengths =>
  FILES.map((file) => statSync(join(data, file), { throwIfNoEntry: false })?.size ?? 0);

/** Cuts the files of a data folder to what a kill could have left. */
function cutTo(data: string, to: Lengths): void {
  for (const [i, file] of FILES.entries()) {
    const path = join(data, file);
    // The server's own files are there, empty, before anything is appended.
    if (to[i] === 0 && !file.startsWith('.devloop')) rmSync(path, { force: true });
    else truncateSync(path, to[i]);
  }
}

const strip = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { ts: _ts, sum: _sum, seq: _seq, ...rest } = JSON.parse(line);
      return rest;
    });
const contents = (data: string) => FILES.map((file) => strip(readFileSync(join(data, file), 'utf8')));

describe('ledgers whose writer was killed', () => {
  const whole = tempFolder();
  const scratch = tempFolder();
  /** Lengths before the first append and after each. */
  const steps: Lengths[] = [];

  before(async () => {
    const { ledgers } = eventLedgers(whole.path);
    await ledgers.open(PROJECT);
    steps.push(lengths(whole.path));
    for (const [i, entry] of ENTRIES.entries()) {
      await ledgers.append(PROJECT, i + 1, entry);
      steps.push(lengths(whole.path));
    }
    await ledgers.closeAll();
  });
  after(() => {
    whole.remove();
    scratch.remove();
  });

  /** Opens what is left, tells the ledgers again what the journal has, and compares. */
  async function recover(to: Lengths, acknowledged: number): Promise<void> {
    const data = join(scratch.path, 'data');
    rmSync(data, { recursive: true, force: true });
    cpSync(whole.path, data, { recursive: true });
    cutTo(data, to);
    const { ledgers } = eventLedgers(data);
    const position = await ledgers.position(PROJECT);
    assert.ok(position <= ENTRIES.length);
    for (const [i, entry] of ENTRIES.entries()) if (i + 1 > position) await ledgers.append(PROJECT, i + 1, entry);
    await ledgers.closeAll();
    assert.deepEqual(contents(data), contents(whole.path));
    for (const [i, file] of FILES.entries()) {
      const kept = readFileSync(join(whole.path, file)).subarray(0, steps[acknowledged]?.[i]);
      assert.deepEqual(readFileSync(join(data, file)).subarray(0, kept.length), kept, `${file} lost what was told`);
    }
    const seqs = readFileSync(join(data, copy('stream.log')), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).seq as number);
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((a, b) => a - b),
    );
  }

  it('are whole after a kill at any byte of any write', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(ENTRIES.length - 1),
        fc.nat(FILES.length - 1),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (step, killedAt, share) => {
          const [from = [], to = []] = [steps[step], steps[step + 1]];
          const left = FILES.map((_, i) => {
            const [a = 0, b = 0] = [from[i], to[i]];
            return i < killedAt ? b : i > killedAt ? a : a + Math.floor((b - a) * share);
          });
          await recover(left, step);
        },
      ),
      { numRuns: 40 },
    ));

  it('are whole after a power cut that kept any part of what was not acknowledged', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(ENTRIES.length - 1),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: FILES.length, maxLength: FILES.length }),
        async (step, shares) => {
          const [from = [], to = []] = [steps[step], steps[step + 1]];
          const left = shares.map((share, i) => {
            const [a = 0, b = 0] = [from[i], to[i]];
            return a + Math.floor((b - a) * share);
          });
          // The other ledgers are durable before the timeline is written.
          const timeline = FILES.indexOf(own('timeline.ndjson'));
          if ((left[timeline] ?? 0) > (from[timeline] ?? 0)) for (const i of [0, 2]) left[i] = to[i] ?? 0;
          await recover(left, step);
        },
      ),
      { numRuns: 40 },
    ));

  it('say what was torn, and keep it', async () => {
    const data = join(scratch.path, 'torn');
    cpSync(whole.path, data, { recursive: true });
    const file = own('timeline.ndjson');
    truncateSync(join(data, file), (steps.at(-1)?.[FILES.indexOf(file)] ?? 0) - 5);
    const { ledgers, warnings } = eventLedgers(data);
    const { repaired } = await ledgers.open(PROJECT);
    await ledgers.closeAll();
    assert.ok(repaired.some((text) => /^timeline\.ndjson: \d+ torn bytes; kept in agent-state\/torn\//.test(text)));
    assert.equal(warnings.length, repaired.length);
    const torn = join(projectAt(data, PROJECT).root, 'agent-state/torn');
    const kept = readdirSync(torn).map((name) => readFileSync(join(torn, name), 'utf8'));
    assert.ok(kept.some((text) => text.includes('"detail":"four"')));
  });
});
