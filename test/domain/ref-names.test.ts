import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import fc from 'fast-check';
import { isDevLoopError } from '../../server/domain/errors.ts';
import { parseRescueId, parseUnitId } from '../../server/domain/ids.ts';
import {
  attemptOfRef,
  attemptRef,
  MAIN,
  parseRefName,
  parseRevName,
  parseTagName,
  rescueRef,
  tagRef,
} from '../../server/domain/ref-names.ts';

const refuses = (parse: (text: string) => unknown, text: string) =>
  assert.throws(
    () => parse(text),
    (error) => isDevLoopError(error, 'ref_invalid'),
    JSON.stringify(text),
  );

const OID = '0123456789abcdef0123456789abcdef01234567';

test('tags of the loop are tags', () => {
  for (const name of [
    'prd-rev-1',
    'sdd-rev-12',
    'shipped-v1-1',
    'shipped-v1-1.2',
    'final-v3',
    'abandoned',
    'v1.0',
    'abc',
    'a_b',
  ]) {
    assert.equal(parseTagName(name), name);
    assert.equal(tagRef(parseTagName(name)), `refs/tags/${name}`);
  }
});

test('names that git or a shell could take for something else are no tags', () => {
  const bad = [
    '',
    '-d',
    '--help',
    '--output=x',
    '$(id)',
    '`id`',
    'a b',
    'a\nb',
    'a\0b',
    'a/b',
    '../x',
    'a..b',
    'a.',
    'a.lock',
    '.a',
    '@',
    'a@{1}',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    'a\\b',
    'ü',
    'x'.repeat(101),
  ];
  const taken = [
    'HEAD',
    'head',
    'FETCH_HEAD',
    'ORIG_HEAD',
    'MERGE_HEAD',
    'CHERRY_PICK_HEAD',
    'AUTO_MERGE',
    'main',
    'Main',
    'abcd',
    'ABCD',
    '1234',
    OID,
  ];
  for (const name of [...bad, ...taken]) refuses(parseTagName, name);
});

test('full ref names begin with refs/ and have plain parts', () => {
  for (const ref of ['refs/heads/main', 'refs/tags/v1', 'refs/devloop/attempts/u-1/1/2'])
    assert.equal(parseRefName(ref), ref);
  for (const ref of [
    'main',
    'refs',
    'refs/',
    'refs/heads',
    'refs/heads/',
    'refs//main',
    'refs/heads/../x',
    'refs/heads/-x',
    'refs/heads/a.lock',
    'refs/heads/a ',
    'heads/refs/main',
  ])
    refuses(parseRefName, ref);
});

test('every tag name that is taken is one to git as well', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/), (text) => {
      try {
        parseTagName(text);
      } catch {
        return;
      }
      execFileSync('git', ['check-ref-format', `refs/tags/${text}`]);
    }),
    { numRuns: 60 },
  );
});

test('a revision is told by its form', () => {
  assert.deepEqual(parseRevName('HEAD'), { kind: 'ref', ref: MAIN });
  assert.deepEqual(parseRevName('main'), { kind: 'ref', ref: MAIN });
  assert.deepEqual(parseRevName(OID.toUpperCase()), { kind: 'oid', oid: OID });
  assert.deepEqual(parseRevName('0123abc'), { kind: 'prefix', hex: '0123abc' });
  assert.deepEqual(parseRevName('prd-rev-1'), { kind: 'ref', ref: 'refs/tags/prd-rev-1' });
  assert.deepEqual(parseRevName('attempts/unit-a/1/3'), { kind: 'ref', ref: 'refs/devloop/attempts/unit-a/1/3' });
  assert.deepEqual(parseRevName('rescue/20260102T030405-reset'), {
    kind: 'ref',
    ref: 'refs/devloop/rescue/20260102T030405-reset',
  });
});

test('what is no revision is refused, whatever it would mean to git', () => {
  const bad = [
    '',
    '-h',
    '--output=/tmp/x',
    'HEAD~1',
    'HEAD^',
    'HEAD@{0}',
    ':/text',
    'main:file',
    'main..x',
    '@',
    '0123ab',
    'refs/heads/main',
    'heads/main',
    'attempts/u',
    'attempts/u/0/1',
    'attempts/u/1/1/1',
    'attempts/U/1/1',
    'attempts/u/1/1x',
    'rescue/',
    'rescue/../x',
    'rescue/a/b',
    'rescue/a.lock',
    'tags/x',
  ];
  for (const text of bad) refuses(parseRevName, text);
});

test('an attempt and its ref name are two forms of one thing', () => {
  const key = { unit: parseUnitId('unit-a'), round: 2, attempt: 3 };
  assert.deepEqual(attemptOfRef(attemptRef(key)), key);
  for (const ref of ['refs/tags/x', 'refs/devloop/attempts/u/1', 'refs/devloop/attempts/u/01/1'])
    assert.equal(attemptOfRef(ref), undefined);
  assert.equal(rescueRef(parseRescueId('a-b')), 'refs/devloop/rescue/a-b');
});
