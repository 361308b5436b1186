import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { appendToCopy, copyIsTrue, makeCopyTrue } from '../../server/events/ledger-copy.ts';
import type { OwnFile } from '../../server/events/set-aside.ts';
import { inTempFolder } from '../support/temp-folder.ts';

const inProject = (use: (file: OwnFile, path: string) => void | Promise<void>) =>
  inTempFolder(async (folder) => {
    const file = { name: 'timeline.ndjson', root: join(folder, 'root'), state: join(folder, 'state') };
    mkdirSync(file.root);
    mkdirSync(file.state);
    await use(file, join(file.root, file.name));
  });

const kept = ({ root }: OwnFile): readonly Buffer[] => {
  const folder = join(root, 'agent-state/torn');
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name))) : [];
};

describe("the project's copy of a ledger", () => {
  it('becomes what the server wrote, whatever it was, and what was not the server’s is kept', () =>
    fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 60 }),
        fc.option(fc.nat(60), { nil: undefined }),
        fc.uint8Array({ maxLength: 20 }),
        (truth, common, rest) =>
          inProject((file, path) => {
            const found = common === undefined ? undefined : Buffer.concat([truth.subarray(0, common), rest]);
            if (found !== undefined) writeFileSync(path, found);
            const was = found === undefined ? truth.length === 0 : found.equals(truth);
            assert.equal(copyIsTrue(file, truth), was);
            const report = makeCopyTrue(file, truth);
            assert.equal(copyIsTrue(file, truth), true);
            assert.deepEqual(existsSync(path) ? [...readFileSync(path)] : [], [...truth]);
            const isBeginning = found === undefined || Buffer.from(truth).subarray(0, found.length).equals(found);
            assert.equal(report === undefined, isBeginning);
            const [tail] = kept(file);
            if (isBeginning) assert.equal(tail, undefined);
            else assert.deepEqual(found?.subarray(-(tail?.length ?? 0)), tail);
            assert.equal(makeCopyTrue(file, truth), undefined, 'once is enough');
          }),
      ),
      { numRuns: 60 },
    ));

  it('is appended to only where it has the length that it should have', () =>
    inProject((file, path) => {
      const lines = Buffer.from('two\n');
      assert.equal(appendToCopy(file, lines, 4), false, 'it is not there');
      writeFileSync(path, 'one\n');
      assert.equal(appendToCopy(file, lines, 3), false);
      assert.equal(appendToCopy(file, lines, 4), true);
      assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
    }));

  it('is made by the first append', () =>
    inProject((file, path) => {
      assert.equal(appendToCopy(file, Buffer.from('one\n'), 0), true);
      assert.equal(readFileSync(path, 'utf8'), 'one\n');
    }));

  it('is never written through a link', () =>
    inProject((file, path) => {
      const outside = join(file.root, '../outside');
      writeFileSync(outside, '');
      symlinkSync(outside, path);
      assert.equal(appendToCopy(file, Buffer.from('x\n'), 0), false);
      assert.match(makeCopyTrue(file, Buffer.from('truth\n')) ?? '', /was not a file of its own/);
      assert.equal(readFileSync(outside, 'utf8'), '');
      assert.ok(lstatSync(path).isFile());
      const torn = join(file.state, 'torn');
      assert.ok(lstatSync(join(torn, readdirSync(torn)[0] ?? '')).isSymbolicLink());
    }));
});
