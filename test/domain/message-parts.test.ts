import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { messageParts, trailerRecord } from '../../server/domain/message-parts.ts';
import { rawGit } from '../support/raw-git.ts';

const gitTrailers = (message: string): string => rawGit('/', message)('interpret-trailers', '--parse', '--no-divider');
const print = ({ trailers }: ReturnType<typeof messageParts>): string =>
  trailers.map(({ key, value }) => `${key}: ${value}`).join('\n');

test('subject, body and trailers are told apart', () => {
  assert.deepEqual(messageParts('one\ntwo\n\nbody\nmore\n\nstill\n\nDevLoop-Call: c1\nCo-authored-by: A <a@b>\n'), {
    subject: 'one two',
    body: 'body\nmore\n\nstill',
    trailers: [
      { key: 'DevLoop-Call', value: 'c1' },
      { key: 'Co-authored-by', value: 'A <a@b>' },
    ],
  });
  assert.deepEqual(messageParts(''), { subject: '', body: '', trailers: [] });
});

test('a subject that looks like a trailer is none, nor is a paragraph with another line in it', () => {
  assert.deepEqual(messageParts('prd: rev 1\n').trailers, []);
  assert.deepEqual(messageParts('x\n\nKey: value\nand prose\n').trailers, []);
});

test('a trailer may go on in the next line', () => {
  assert.deepEqual(messageParts('x\n\nKey: a\n b\nOther: c\n').trailers, [
    { key: 'Key', value: 'a b' },
    { key: 'Other', value: 'c' },
  ]);
});

test('keys named like a property of every object are keys like others', () => {
  const record = trailerRecord([
    { key: '__proto__', value: 'a' },
    { key: 'constructor', value: 'b' },
    { key: 'K', value: '1' },
    { key: 'K', value: '2' },
  ]);
  assert.deepEqual(Object.entries(record), [
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['K', '1\n2'],
  ]);
});

test('trailers that we write are read as git reads them', () => {
  const word = fc
    .stringMatching(/^[A-Za-z0-9@<>. ()·-]{1,30}$/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const key = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,12}$/);
  const message = fc.record({
    subject: word,
    body: fc.array(word, { maxLength: 2 }),
    trailers: fc.array(fc.tuple(key, word), { minLength: 1, maxLength: 4 }),
  });
  fc.assert(
    fc.property(message, ({ subject, body, trailers }) => {
      const text = [subject, ...body, trailers.map(([k, value]) => `${k}: ${value}`).join('\n')].join('\n\n');
      assert.equal(print(messageParts(`${text}\n`)), gitTrailers(`${text}\n`));
    }),
    { numRuns: 25 },
  );
});
