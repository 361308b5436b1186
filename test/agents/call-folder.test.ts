import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeCallFolder, readResultFile } from '../../server/agents/call-folder.ts';
import { parseCallId } from '../../server/domain/ids.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const CALL = parseCallId('call-1');
const OUT = 'agent-state/calls/call-1/out';

describe("a call's folder", () => {
  it('is made with an empty place for results', (t) => {
    const root = scratchFolder(t);
    assert.equal(makeCallFolder(root, CALL), join(root, 'agent-state/calls/call-1'));
    assert.deepEqual(readdirSync(join(root, OUT)), []);
  });

  it('keeps what is not a result, and no old result', (t) => {
    const root = scratchFolder(t);
    mkdirSync(join(root, OUT, 'deep'), { recursive: true });
    for (const file of ['call.json', 'out/result.json', 'out/deep/x'])
      writeFileSync(join(root, 'agent-state/calls/call-1', file), '');
    makeCallFolder(root, CALL);
    assert.deepEqual(readdirSync(join(root, 'agent-state/calls/call-1')).sort(), ['call.json', 'out']);
    assert.deepEqual(readdirSync(join(root, OUT)), []);
  });

  it('is not made where a part of its path is a link or a file', (t) => {
    for (const part of ['agent-state', 'agent-state/calls', 'agent-state/calls/call-1']) {
      const root = scratchFolder(t);
      const outside = scratchFolder(t);
      mkdirSync(join(root, part, '..'), { recursive: true });
      symlinkSync(outside, join(root, part));
      assert.throws(() => makeCallFolder(root, CALL), { code: 'path_refused' }, part);
      assert.deepEqual(readdirSync(outside), []);
    }
    const root = scratchFolder(t);
    writeFileSync(join(root, 'agent-state'), '');
    assert.throws(() => makeCallFolder(root, CALL), { code: 'path_refused' });
  });

  it('removes a link in the place of the results, not what it leads to', (t) => {
    const root = scratchFolder(t);
    const outside = scratchFolder(t);
    writeFileSync(join(outside, 'kept'), '');
    mkdirSync(join(root, 'agent-state/calls/call-1'), { recursive: true });
    symlinkSync(outside, join(root, OUT));
    makeCallFolder(root, CALL);
    assert.ok(existsSync(join(outside, 'kept')));
  });
});

describe("a call's result file", () => {
  it('is read where it is a file of its own', (t) => {
    const root = scratchFolder(t);
    makeCallFolder(root, CALL);
    assert.equal(readResultFile(root, CALL), undefined);
    writeFileSync(join(root, OUT, 'result.json'), '{"é":1}');
    assert.equal(readResultFile(root, CALL), '{"é":1}');
  });

  it('is none where it is a link, a folder, or too large', (t) => {
    const root = scratchFolder(t);
    const path = join(root, OUT, 'result.json');
    const each = (make: () => void) => {
      makeCallFolder(root, CALL);
      make();
      assert.equal(readResultFile(root, CALL), undefined);
    };
    each(() => symlinkSync('/etc/hosts', path));
    each(() => mkdirSync(path));
    each(() => {
      writeFileSync(path, '{}');
      truncateSync(path, 1_000_001);
    });
  });
});
