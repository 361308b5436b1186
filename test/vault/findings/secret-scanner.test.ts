import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { SecretScanner } from '../../../server/vault/findings/secret-scanner.ts';
import { HOSTILE_TEXTS } from '../../support/secrets/hostile-texts.ts';
import { SECRETS } from '../../support/secrets/kinds.ts';

const PLENTY = 60_000;

function scannerOf(t: TestContext): SecretScanner {
  const scanner = new SecretScanner();
  t.after(() => scanner.close());
  return scanner;
}

test('contents are looked at in another thread, in the order of asking, and stay as they are', async (t) => {
  const scanner = scannerOf(t);
  const contents = SECRETS.slice(0, 8).map(({ content }) => Buffer.from(content));
  const outcomes = await Promise.all(contents.map((content) => scanner.scan({ content, ext: '.txt' }, PLENTY)));
  for (const [i, outcome] of outcomes.entries()) {
    assert.equal(outcome.kind === 'scanned' && outcome.findings.length, 1, SECRETS[i]?.what);
    assert.equal(contents[i]?.toString(), SECRETS[i]?.content);
  }
});

test('the thread that looks leaves others their turn', async (t) => {
  const scanner = scannerOf(t);
  await scanner.scan({ content: Buffer.from('warm'), ext: '' }, PLENTY);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const text = HOSTILE_TEXTS['beginnings of addresses'] ?? '';
  await scanner.scan({ content: Buffer.from(text), ext: '' }, PLENTY);
  clearInterval(timer);
  assert.ok(turns > 3, `${turns} turns`);
});

test('what takes too long is given up, and the next content is looked at all the same', async (t) => {
  const scanner = scannerOf(t);
  const slow = Buffer.from(HOSTILE_TEXTS['beginnings of addresses'] ?? '');
  const { kind } = await scanner.scan({ content: slow, ext: '' }, 1);
  assert.equal(kind, 'out_of_time');
  const [secret] = SECRETS;
  const next = await scanner.scan({ content: Buffer.from(secret?.content ?? ''), ext: '' }, PLENTY);
  assert.equal(next.kind === 'scanned' && next.findings.length, 1);
});

test('a scan that waits when the scanner is closed comes to an end', async () => {
  const scanner = new SecretScanner();
  await scanner.scan({ content: Buffer.from('warm'), ext: '' }, PLENTY);
  const slow = scanner.scan({ content: Buffer.from(HOSTILE_TEXTS['beginnings of keys'] ?? ''), ext: '' }, PLENTY);
  await new Promise((resolve) => setImmediate(resolve));
  scanner.close();
  assert.ok(['failed', 'scanned'].includes((await slow).kind));
});
