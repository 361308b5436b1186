import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { visiblePath } from '../../../server/agents/tools/visible-path.ts';
import { parseCallId } from '../../../server/domain/ids.ts';

const CALL = parseCallId('call-1');
const check = (path: string) => visiblePath(path, CALL);

describe('a path that a model gives', () => {
  it('is taken relative to the project, with or without a dot before it', () => {
    for (const path of ['units/store/code/a.mjs', './units/store/code/a.mjs', './/units/store/code/a.mjs/'])
      assert.deepEqual(check(path), { kind: 'path', path: 'units/store/code/a.mjs' });
    for (const path of ['.', './', '', './.']) assert.deepEqual(check(path), { kind: 'path', path: '' }, path);
  });

  it('is kept as bytes', () => {
    assert.deepEqual(check('units/é'), { kind: 'path', path: 'units/\xc3\xa9' });
  });

  it('is refused where it leads out or is no plain path', () => {
    for (const path of ['..', '../x', 'units/../../x', 'a/./b', 'a//b', '/etc/passwd', '//x', 'a\0b', './../x'])
      assert.equal(check(path).kind, 'refused', path);
  });

  it("is refused where it is the server's own", () => {
    for (const path of [
      '.git',
      '.git/config',
      'units/store/code/.git/hooks/x',
      'timeline.ndjson',
      'bugs.ndjson',
      'changelog.ndjson',
      'stream.log',
      'history/x',
      'agent-state/calls/call-2/out/result.json',
      'agent-state/calls/call-1/transcript.ndjson',
      'agent-state/calls/call-1/outside',
    ])
      assert.equal(check(path).kind, 'refused', path);
  });

  it('is refused where some file system would take it for one of these', () => {
    for (const path of [
      '.GIT/config',
      '.Git',
      '.git ',
      '.git./x',
      '.git::$INDEX_ALLOCATION/config',
      'git~1/config',
      '.g\u200cit/config',
      '.g\ufeffit',
      '.\uff47it/config',
      'Timeline.ndjson',
      'AGENT-STATE/calls',
      'stream.log.',
    ])
      assert.equal(check(path).kind, 'refused', path);
  });

  it('may be in the folder for the results of its own call', () => {
    assert.equal(check('agent-state/calls/call-1/out/result.json').kind, 'path');
    assert.equal(check('agent-state/calls/call-1/out').kind, 'path');
  });

  it('is taken where it only resembles them', () => {
    for (const path of ['.gitignore', 'units/git/code', 'prd/timeline.ndjson', 'x.git', 'units/history/a'])
      assert.equal(check(path).kind, 'path', path);
  });

  it('never has a part that moves up, whatever was given', () => {
    const part = fc.oneof(fc.constantFrom('.', '..', '', '.git', 'a', 'units', '...'), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const checked = check(parts.join('/'));
        if (checked.kind === 'refused' || checked.path === '') return;
        for (const name of checked.path.split('/')) assert.ok(!['', '.', '..', '.git'].includes(name));
      }),
    );
  });
});
