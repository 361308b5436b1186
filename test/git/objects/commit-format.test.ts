import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../../server/domain/errors.ts';
import { parseOid } from '../../../server/domain/ids.ts';
import { type CommitObject, encodeCommit, parseCommit } from '../../../server/git/objects/commit-format.ts';
import { EMPTY_TREE, hashObject } from '../../../server/git/objects/object-id.ts';
import { encodeTag, parseTag } from '../../../server/git/objects/tag-format.ts';
import { rawGit, rawGitBytes, rawRepository } from '../../support/raw-git.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const COMMIT: CommitObject = {
  tree: EMPTY_TREE,
  parents: [],
  author: { name: 'PM Agent', email: 'pm@devloop.local', seconds: 1_780_000_000 },
  committer: { name: 'DevLoop', email: 'devloop@devloop.local', seconds: 1_780_000_001 },
  message: 'prd: rev 1 · Ünïcode → ok\n\nDevLoop-Call: c-1\n',
};

const line = fc
  .string({ unit: 'binary', maxLength: 30 })
  .map((text) => text.replaceAll(/[<>\n\0]|\p{Cs}/gu, '').trim());
const signature = fc.record(
  {
    name: line.map((text) => text || 'x'),
    email: line,
    seconds: fc.nat(),
    zone: fc.constantFrom('+0000', '-0330', '+1400'),
  },
  { noNullPrototype: true },
);
const oid = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes) => parseOid(Buffer.from(bytes).toString('hex')));
const commit: fc.Arbitrary<CommitObject> = fc.record(
  {
    tree: oid,
    parents: fc.array(oid, { maxLength: 3 }),
    author: signature,
    committer: signature,
    message: fc.string({ unit: 'grapheme' }).map((text) => `${text.replaceAll('\0', '')}\n`),
  },
  { noNullPrototype: true },
);

test('a commit that was encoded parses to the same values', () => {
  fc.assert(fc.property(commit, (value) => assert.deepEqual(parseCommit(encodeCommit(value)), value)));
});

test('a commit is byte for byte what git makes of the same values', (t) => {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  git('hash-object', '-w', '-t', 'tree', '/dev/null');
  const content = encodeCommit(COMMIT);
  assert.equal(rawGit(folder, content)('hash-object', '-w', '-t', 'commit', '--stdin'), hashObject('commit', content));
  assert.equal(
    git('log', '-1', '--format=%an %ae %at %cn %s', hashObject('commit', content)),
    'PM Agent pm@devloop.local 1780000000 DevLoop prd: rev 1 · Ünïcode → ok',
  );
  assert.equal(
    git('log', '-1', '--format=%(trailers:key=DevLoop-Call,valueonly)', hashObject('commit', content)).trim(),
    'c-1',
  );
});

test('commits that git made are read: merges, signatures and other headers too', (t) => {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  git('commit', '-q', '--allow-empty', '-m', 'one\n\nbody');
  const one = parseOid(git('rev-parse', 'HEAD'));
  const read = parseCommit(rawGitBytes(folder)('cat-file', 'commit', one));
  assert.deepEqual(
    { ...read, author: read.author.name, committer: read.committer.seconds },
    {
      tree: EMPTY_TREE,
      parents: [],
      author: 'A Person',
      committer: Date.parse('2026-01-02T03:04:05Z') / 1000,
      message: 'one\n\nbody\n',
    },
  );
  const signed = `tree ${EMPTY_TREE}\nparent ${one}\nparent ${one}\nauthor A <a@b> 1 +0100\ncommitter C <> 2 -0200\nencoding UTF-8\ngpgsig -----BEGIN\n \n line\n -----END\n\nsubject\n`;
  assert.deepEqual(parseCommit(Buffer.from(signed)), {
    tree: EMPTY_TREE,
    parents: [one, one],
    author: { name: 'A', email: 'a@b', seconds: 1, zone: '+0100' },
    committer: { name: 'C', email: '', seconds: 2, zone: '-0200' },
    message: 'subject\n',
  });
});

test('a name or message that would break the format is refused', () => {
  const refused = (change: Partial<CommitObject>) =>
    assert.throws(
      () => encodeCommit({ ...COMMIT, ...change }),
      (error) => isDevLoopError(error, 'validation_failed'),
    );
  for (const name of ['a<b', 'a>b', 'a\nb', 'a\0b', '  ']) refused({ author: { ...COMMIT.author, name } });
  refused({ committer: { ...COMMIT.committer, email: 'a>\nparent x' } });
  refused({ message: 'a\0b' });
});

test('content that is no commit or tag is said to be damaged', () => {
  for (const bad of ['', 'tree\n\n', `tree ${EMPTY_TREE}\n\nx`, `tree ${EMPTY_TREE}\nauthor x\ncommitter y\n\nm`]) {
    assert.throws(
      () => parseCommit(Buffer.from(bad)),
      (error) => isDevLoopError(error, 'vault_damaged'),
    );
    assert.throws(
      () => parseTag(Buffer.from(bad)),
      (error) => isDevLoopError(error, 'vault_damaged'),
    );
  }
});

test('an annotated tag is what git makes of it, and parses back', (t) => {
  const folder = scratchFolder(t);
  const git = rawRepository(folder);
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const object = parseOid(git('rev-parse', 'HEAD'));
  const tag = {
    object,
    kind: 'commit',
    name: 'prd-rev-1',
    tagger: { ...COMMIT.committer, zone: '+0000' },
    message: 'rev 1\n',
  } as const;
  const content = encodeTag(tag);
  const made = rawGit(folder, content)('mktag');
  assert.equal(hashObject('tag', content), made);
  assert.deepEqual(parseTag(rawGitBytes(folder)('cat-file', 'tag', made)), tag);
});
