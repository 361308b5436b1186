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

const bytes = (text = '') => Buffer.from(text);
const SLOW = bytes(HOSTILE_TEXTS['beginnings of addresses']);
const [SECRET] = SECRETS.map(({ content }) => bytes(content));

test('contents are looked at in another thread, in their order and that of asking, and stay as they are', async (t) => {
  const scanner = scannerOf(t);
  const contents = SECRETS.slice(0, 8).map(({ content }) => bytes(content));
  const requests = [contents.slice(0, 3), [bytes('')], [], contents.slice(3)];
  const outcomes = await Promise.all(requests.map((request) => scanner.scan(request, PLENTY)));
  const found = outcomes.map((outcome) =>
    outcome.kind === 'scanned' ? outcome.findings.map(({ length }) => length) : [],
  );
  assert.deepEqual(found, [[1, 1, 1], [0], [], [1, 1, 1, 1, 1]]);
  for (const [i, content] of contents.entries()) assert.equal(content.toString(), SECRETS[i]?.content);
});

test('the thread that looks leaves others their turn', async (t) => {
  const scanner = scannerOf(t);
  await scanner.scan([bytes('warm')], PLENTY);
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  await scanner.scan([SLOW], PLENTY);
  clearInterval(timer);
  assert.ok(turns > 3, `${turns} turns`);
});

test('as many contents as there is time for are looked at, one at least', async (t) => {
  const scanner = scannerOf(t);
  const outcome = await scanner.scan([SLOW, SLOW, SLOW], 1);
  assert.equal(outcome.kind === 'scanned' && outcome.findings.length, 1);
});

test('a thread that came to its end is told of, and another one looks at what comes next', async (t) => {
  const scanner = scannerOf(t);
  await scanner.scan([bytes('warm')], PLENTY);
  const slow = scanner.scan([SLOW], PLENTY);
  await new Promise((resolve) => setImmediate(resolve));
  scanner.close();
  assert.ok(['failed', 'scanned'].includes((await slow).kind));
  const next = await scanner.scan([bytes('nothing'), SECRET ?? bytes()], PLENTY);
  assert.deepEqual(next.kind === 'scanned' && next.findings.map(({ length }) => length), [0, 1]);
});
