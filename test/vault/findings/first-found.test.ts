import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { bytePathFromText } from '../../../server/domain/byte-path.ts';
import { parseOid } from '../../../server/domain/ids.ts';
import { firstFound, keyOf, openFindings, sharesSecret } from '../../../server/vault/findings/first-found.ts';
import type { KeptFinding } from '../../../server/vault/findings/scan-record.ts';

const oid = (n: number) => parseOid(n.toString(16).padStart(40, '0'));

function finding(blob: number, secrets: readonly string[], rule = 'github'): KeptFinding {
  return { blob: oid(blob), rule, secrets, path: bytePathFromText('a.txt'), line: 1, commit: oid(99) };
}

const blobs = (findings: readonly KeptFinding[]) => findings.map(({ blob }) => Number.parseInt(blob, 16));

describe('the list of findings', () => {
  it('tells of a secret once, however many files and commits hold it', () => {
    assert.deepEqual(blobs(firstFound([finding(1, ['a']), finding(2, ['a']), finding(3, ['a', 'b'])])), [1, 3]);
  });

  it('tells the same characters found by two rules as two things', () => {
    assert.deepEqual(blobs(firstFound([finding(1, ['a']), finding(2, ['a'], 'npm')])), [1, 2]);
  });

  it('tells again of each file whose secrets are too many to tell apart', () => {
    assert.deepEqual(blobs(firstFound([finding(1, []), finding(2, []), finding(2, [])])), [1, 2]);
  });

  it('leaves out what was told before', () => {
    assert.deepEqual(blobs(firstFound([finding(2, ['a']), finding(3, ['c'])], [finding(1, ['a', 'b'])])), [3]);
  });
});

describe('a finding that a person allowed', () => {
  it('is not open any more, nor are its secrets in other files', () => {
    const all = [finding(1, ['a', 'b']), finding(2, ['a']), finding(3, ['a', 'c'])];
    assert.deepEqual(blobs(openFindings(all, [])), [1, 2, 3]);
    assert.deepEqual(blobs(openFindings(all, [finding(1, [])])), [3]);
    assert.deepEqual(blobs(openFindings(all, [finding(2, [])])), [1, 3]);
  });

  it('lets no other kind of secret out of its file', () => {
    const all = [finding(1, ['a']), finding(1, ['b'], 'npm')];
    assert.deepEqual(openFindings(all, [finding(1, [])]), [all[1]]);
  });

  it('lets only itself out where its secrets are too many', () => {
    assert.deepEqual(blobs(openFindings([finding(1, []), finding(2, [])], [finding(1, [])])), [2]);
  });

  it('lets nothing out by a name that nothing was found under', () => {
    assert.deepEqual(blobs(openFindings([finding(1, ['a'])], [finding(1, ['a'], 'npm'), finding(2, ['a'])])), [1]);
  });
});

it('whatever is open can be let out by the list alone', () => {
  const letters = fc.subarray(['a', 'b', 'c', 'd']);
  const any = fc.record({ blob: fc.integer({ min: 1, max: 5 }), secrets: letters, rule: fc.constantFrom('x', 'y') });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 8 }), fc.array(fc.nat(7)), (made, picked) => {
      const all = made.map(({ blob, secrets, rule }) => finding(blob, secrets, rule));
      const allowed = picked.flatMap((i) => all[i] ?? []);
      const listed = openFindings(firstFound(all), allowed);
      for (const one of openFindings(all, allowed)) {
        assert.ok(
          listed.some((other) => sharesSecret(one, other)),
          'an open finding is in no open row of the list',
        );
      }
      assert.deepEqual(openFindings(all, firstFound(all)).map(keyOf), []);
    }),
  );
});
