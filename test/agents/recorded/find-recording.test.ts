import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findRecording } from '../../../server/agents/recorded/find-recording.ts';
import { createRecording } from '../../../server/agents/recorded/recording-writer.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

function demos(t: TestContext): string {
  const folder = scratchFolder(t);
  for (const name of ['other', 'todo']) {
    mkdirSync(join(folder, name));
    createRecording(join(folder, name, 'recording.ndjson'), {
      schema: 1,
      source: 'scripted',
      date: '2026-01-02',
      redaction: 'secrets',
      requirement: `make ${name}`,
    });
  }
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'turns.mjs'), '');
  return folder;
}

const nameOf = (found: ReturnType<typeof findRecording>): string =>
  found.kind === 'failed' ? found.reason : found.name;

describe('the recording of a call', () => {
  it('is the one that was made for the requirement', (t) => {
    const folder = demos(t);
    assert.equal(nameOf(findRecording(folder, { requirement: 'make other' })), 'templates/demo/other/recording.ndjson');
  });

  it('is the to-do list where none was made for it', (t) => {
    assert.equal(nameOf(findRecording(demos(t), { requirement: 'x' })), 'templates/demo/todo/recording.ndjson');
  });

  it('is the one that the team names, by its folder or its absolute path', (t) => {
    const folder = demos(t);
    const path = join(folder, 'other', 'recording.ndjson');
    const at = (recording: string) => nameOf(findRecording(folder, { recording, requirement: 'make todo' }));
    assert.equal(at('other'), 'templates/demo/other/recording.ndjson');
    assert.equal(at(path), path);
    for (const recording of ['none', 'empty', '../other', 'other/recording.ndjson', '.', join(folder, 'none')])
      assert.equal(at(recording), 'not_started', recording);
  });
});
