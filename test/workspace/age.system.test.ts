// Needs age and age-keygen: apt-get install age
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytePathFromText } from '../../server/domain/byte-path.ts';
import { parsePointId } from '../../server/domain/point.ts';
import { decrypted, encrypted, identitiesOf, newKey } from '../../server/workspace/histories/age.ts';
import { allOf, inPieces, someBytes } from '../contracts/large-objects.ts';
import { rawGit } from '../support/raw-git-latin1.ts';
import { inTempFolder } from '../support/temp-folder.ts';
import { inWorkspace } from '../support/workspace-place.ts';

const MOST = { maxBuffer: 64 * 1024 * 1024 };

/** Sizes about those of the format's own pieces. */
const SIZES = [0, 1, 65_535, 65_536, 65_537, 200_000, 3_000_000];

test('what we encrypt the reference opens, and what it encrypts we open', () =>
  inTempFolder(async (folder) => {
    const key = join(folder, 'key');
    execFileSync('age-keygen', ['-o', key], { stdio: 'ignore' });
    const recipient = execFileSync('age-keygen', ['-y', key], { encoding: 'utf8' }).trim();
    const identities = identitiesOf(execFileSync('cat', [key], { encoding: 'utf8' }));
    for (const size of SIZES) {
      const bytes = someBytes(size, size + 1);
      const ours = await allOf(encrypted(inPieces(bytes, 10_000), [recipient]));
      assert.ok(execFileSync('age', ['-d', '-i', key], { input: ours, ...MOST }).equals(bytes), `${size} bytes by us`);
      const theirs = execFileSync('age', ['-r', recipient], { input: bytes, ...MOST });
      assert.ok((await allOf(decrypted(inPieces(theirs, 9999), identities))).equals(bytes), `${size} bytes by it`);
    }
  }));

test('a key that we make is one for the reference', () =>
  inTempFolder(async (folder) => {
    const { identity, recipient } = await newKey();
    writeFileSync(join(folder, 'key'), `${identity}\n`);
    assert.equal(execFileSync('age-keygen', ['-y', join(folder, 'key')], { encoding: 'utf8' }).trim(), recipient);
  }));

test('a history that a point holds is opened by age and cloned by git, without us', () =>
  inWorkspace(async ({ workspace, workspaces, root, folder }) => {
    const key = join(folder, 'key');
    execFileSync('age-keygen', ['-o', key], { stdio: 'ignore' });
    const recipient = execFileSync('age-keygen', ['-y', key], { encoding: 'utf8' }).trim();
    const at = join(root, 'lib');
    mkdirSync(at);
    rawGit(at, ['init', '-q', '-b', 'trunk']);
    for (const text of ['1', '2']) {
      writeFileSync(join(at, 'file'), text);
      rawGit(at, ['add', 'file']);
      rawGit(at, ['commit', '-qm', text]);
    }
    rawGit(at, ['tag', 'v1']);
    workspace.changeSettings({ nested_history: true, history_recipients: [recipient] });
    const opened = workspaces.open(root);
    const { id } = await opened.takePoint({ reason: 'x' });
    const { content } = await opened.openHistory(parsePointId(id), bytePathFromText('lib'));
    const bundle = join(folder, 'lib.bundle');
    writeFileSync(bundle, execFileSync('age', ['-d', '-i', key], { input: await allOf(content), ...MOST }));
    rawGit(folder, ['clone', '-q', bundle, 'clone']);
    const clone = join(folder, 'clone');
    assert.equal(rawGit(clone, ['rev-parse', 'HEAD', 'v1']), rawGit(at, ['rev-parse', 'HEAD', 'v1']));
    assert.equal(rawGit(clone, ['symbolic-ref', '--short', 'HEAD']), 'trunk\n');
    rawGit(clone, ['fsck', '--strict']);
    await opened.close();
  }));
