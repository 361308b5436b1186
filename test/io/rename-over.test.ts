import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { hasCode } from '../../server/io/io-error.ts';
import { renameOver } from '../../server/io/rename-over.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** How many descriptors lead into a folder. */
function heldIn(folder: string): number {
  return readdirSync('/proc/self/fd').filter((fd) => leadsTo(fd).startsWith(folder)).length;
}

function leadsTo(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch (error) {
    // It was closed meanwhile, as that by which the folder is listed.
    if (hasCode(error, 'ENOENT')) return '';
    throw error;
  }
}

test('a file takes the name of another, of a link, or one that nobody had, and nothing is held for long', async (t) => {
  const folder = scratchFolder(t);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('file'), 'old');
  writeFileSync(at('outside'), 'theirs');
  symlinkSync(at('outside'), at('link'));
  for (const name of ['file', 'link', 'fresh']) {
    writeFileSync(at('new'), `new ${name}`);
    renameOver(at('new'), at(name));
    assert.equal(readFileSync(at(name), 'utf8'), `new ${name}`);
  }
  assert.equal(readFileSync(at('outside'), 'utf8'), 'theirs');
  while (heldIn(folder) > 0) await nextTurn();
});

test('what cannot take a name stays where it is, and what has the name as well', async (t) => {
  const folder = scratchFolder(t);
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('new'), 'new');
  mkdirSync(at('in the way'));
  assert.throws(() => renameOver(at('new'), at('in the way')), { code: 'EISDIR' });
  assert.throws(() => renameOver(at('new'), at('new/below')), { code: 'ENOTDIR' });
  assert.throws(() => renameOver(at('absent'), at('new')), { code: 'ENOENT' });
  assert.equal(readFileSync(at('new'), 'utf8'), 'new');
  while (heldIn(folder) > 0) await nextTurn();
});
