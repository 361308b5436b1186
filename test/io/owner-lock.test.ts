import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { hasCode, type IoError } from '../../server/io/io-error.ts';
import { takeOwnerLock } from '../../server/io/owner-lock.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const MODULE = join(import.meta.dirname, '../../server/io/owner-lock.ts');
const noLoss = { onLost: () => assert.fail('the lock was lost') };
const ownedBy = (pid: number | undefined) => (error: unknown) =>
  hasCode(error, 'owned') && (error as IoError).data.pid === pid && error.message.includes(String(pid));

interface Contender {
  readonly child: ChildProcess;
  /** The pid that was printed: its own where it has the lock, else the owner's. */
  readonly owner: number;
}

/** A process that tries to take the lock, prints who has it, and stays if it is the one. */
async function contend(path: string): Promise<Contender> {
  const script = `
    import { takeOwnerLock } from ${JSON.stringify(MODULE)};
    try {
      takeOwnerLock(${JSON.stringify(path)}, { onLost: () => process.exit(9) });
      console.log(process.pid);
      setInterval(() => {}, 1000);
    } catch (error) {
      console.log(error.data.pid);
    }`;
  const argv = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, owner: Number(chunk.toString()) };
}

async function kill({ child }: Contender): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Leaves the lock of an owner that is dead: its pid belongs to a process that started at another time. */
const leaveStaleLock = (path: string): void => {
  const lock = takeOwnerLock(path, noLoss);
  const { space } = JSON.parse(readFileSync(path, 'utf8')) as { space: string };
  lock.release();
  writeFileSync(path, JSON.stringify({ pid: process.pid, start_time: '1', host: 'here', space, since: '' }));
};

describe("a folder's owner lock", () => {
  it('is refused to a second process, with the pid of the owner, until it is released', () =>
    inTempFolder(async (folder) => {
      const path = join(folder, 'lock');
      const lock = takeOwnerLock(path, noLoss);
      assert.equal((await contend(path)).owner, process.pid);
      assert.throws(() => takeOwnerLock(path, noLoss), ownedBy(process.pid));
      lock.release();
      assert.deepEqual(readdirSync(folder), []);
      takeOwnerLock(path, noLoss).release();
    }));

  it('is given up at a later beat where the system refuses it at first', (t) =>
    inTempFolder((folder) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const [place, away] = [join(folder, 'place'), join(folder, 'away')];
      mkdirSync(place);
      const path = join(place, 'lock');
      const lock = takeOwnerLock(path, noLoss);
      renameSync(place, away);
      symlinkSync('place', place);
      lock.release();
      t.mock.timers.tick(2_000);
      rmSync(place);
      renameSync(away, place);
      assert.throws(() => takeOwnerLock(path, noLoss), ownedBy(process.pid));
      t.mock.timers.tick(2_000);
      assert.deepEqual(readdirSync(place), []);
      const next = takeOwnerLock(path, noLoss);
      t.mock.timers.tick(4_000);
      assert.deepEqual(readdirSync(place), ['lock']);
      next.release();
    }));

  it('is taken over from an owner that was killed', () =>
    inTempFolder(async (folder) => {
      const path = join(folder, 'lock');
      const first = await contend(path);
      assert.equal(first.owner, first.child.pid);
      assert.throws(() => takeOwnerLock(path, noLoss), ownedBy(first.child.pid));
      await kill(first);
      takeOwnerLock(path, noLoss).release();
      assert.deepEqual(readdirSync(folder), []);
    }));

  it('is taken over from a process whose pid another one has now', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'lock');
      leaveStaleLock(path);
      takeOwnerLock(path, noLoss).release();
    }));

  it('goes to exactly one of many that find a dead owner at once', () =>
    inTempFolder(async (folder) => {
      const path = join(folder, 'lock');
      leaveStaleLock(path);
      const all = await Promise.all(Array.from({ length: 6 }, () => contend(path)));
      const owners = all.filter(({ child, owner }) => owner === child.pid);
      await Promise.all(all.map(kill));
      assert.equal(owners.length, 1);
      for (const { owner } of all) assert.equal(owner, owners[0]?.owner);
      assert.deepEqual(readdirSync(folder), ['lock']);
    }));

  it('is taken over where the one that took it over was killed half way', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'lock');
      leaveStaleLock(path);
      const dead = readFileSync(path, 'utf8');
      const heir = `${path}.${hash('sha256', dead).slice(0, 12)}`;
      writeFileSync(heir, dead.replace('"1"', '"2"'));
      const lock = takeOwnerLock(path, noLoss);
      assert.deepEqual(readdirSync(folder), ['lock']);
      lock.release();
    }));

  it('of an owner elsewhere, or of none that can be read, holds while its file is touched', () =>
    inTempFolder((folder) => {
      const path = join(folder, 'lock');
      for (const text of [
        JSON.stringify({ pid: 7, start_time: '1', host: 'there', space: 'other' }),
        '',
        '{"pid"',
        '[]',
      ]) {
        writeFileSync(path, text);
        assert.throws(
          () => takeOwnerLock(path, noLoss),
          (error) => hasCode(error, 'owned'),
        );
        for (const away of [-60, 60]) {
          writeFileSync(path, text);
          const then = new Date(Date.now() + away * 1000);
          utimesSync(path, then, then);
          takeOwnerLock(path, noLoss).release();
        }
      }
    }));

  it('shows life by its mtime, and tells when it was taken away', (t: TestContext) =>
    inTempFolder((folder) => {
      t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
      const path = join(folder, 'lock');
      let lost = 0;
      const lock = takeOwnerLock(path, { onLost: () => lost++ });
      utimesSync(path, 1, 1);
      t.mock.timers.tick(2000);
      assert.equal(lost, 0);
      assert.throws(() => takeOwnerLock(path, noLoss), ownedBy(process.pid));
      writeFileSync(path, 'another');
      t.mock.timers.tick(4000);
      assert.equal(lost, 1);
      lock.release();
      assert.equal(readFileSync(path, 'utf8'), 'another');
    }));

  it('is lost, with the cause, where its file cannot be read any more', (t: TestContext) =>
    inTempFolder((folder) => {
      t.mock.timers.enable({ apis: ['setInterval'] });
      const path = join(folder, 'lock');
      const causes: unknown[] = [];
      takeOwnerLock(path, { onLost: (cause) => causes.push(cause) });
      rmSync(path);
      symlinkSync('nowhere', path);
      t.mock.timers.tick(6000);
      assert.equal(causes.length, 1);
      assert.ok(hasCode(causes[0], 'ELOOP'));
      assert.throws(
        () => takeOwnerLock(path, noLoss),
        (error) => hasCode(error, 'ELOOP'),
      );
    }));
});
