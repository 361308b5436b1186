import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRedactor, redact, redactJson } from '../../server/agents/redact.ts';

const some = (count: number, alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789') =>
  Array.from({ length: count }, (_, i) => alphabet[(i * 7) % alphabet.length]).join('');

const KEY = ['-----BEGIN RSA PRIVATE KEY-----', ...Array(24).fill(some(64)), '-----END RSA PRIVATE KEY-----'].join(
  '\n',
);
const SECRETS: readonly string[] = [
  `sk-${some(48)}`,
  `sk_live_${some(24)}`,
  `ghp_${some(36)}`,
  `github_pat_${some(60)}`,
  `glpat-${some(20)}`,
  `AKIA${some(16, 'ABCDEFGH234567')}`,
  `AIza${some(35)}`,
  `xoxb-${some(40)}`,
  `npm_${some(36)}`,
  `hf_${some(34)}`,
  `eyJ${some(30)}.eyJ${some(80)}.${some(43)}`,
  KEY,
];

const inPieces = (text: string, sizes: readonly number[], known: readonly string[] = []): string => {
  const redactor = createRedactor(known);
  let out = '';
  let at = 0;
  for (let i = 0; at < text.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    out += redactor.push(text.slice(at, at + size));
    at += size;
  }
  return out + redactor.flush();
};

describe('redaction', () => {
  it('takes out every kind of secret and leaves what is around it', () => {
    for (const secret of SECRETS) assert.equal(redact(`before ${secret} after`), 'before [redacted] after', secret);
  });

  it('keeps the word before a bearer token and the user and host of an address', () => {
    assert.equal(redact(`Authorization: Bearer ${some(30)}`), 'Authorization: Bearer [redacted]');
    assert.equal(redact('https://me:hunter2@example.org/x'), 'https://me:[redacted]@example.org/x');
  });

  it('leaves words that only look alike', () => {
    const plain =
      'task-management-and-planning-of-things, risk-free-delivery-of-the-whole, http://127.0.0.1:8080/a@b, npm_config_x';
    assert.equal(redact(plain), plain);
  });

  it('takes out values that are known to be secret, whatever they look like', () => {
    assert.equal(redact('key=p.a*s+s(w)ord!', ['p.a*s+s(w)ord!']), 'key=[redacted]');
    assert.equal(redact('short', ['ort']), 'short');
  });

  it('takes out a private key longer than any buffer', () => {
    const long = ['-----BEGIN PRIVATE KEY-----', ...Array(300).fill(some(64)), '-----END PRIVATE KEY-----'].join('\n');
    assert.equal(redact(`a ${long} b`), 'a [redacted] b');
    assert.equal(inPieces(`a ${long} b`, [100]), 'a [redacted] b');
  });

  it('gives the same at every single place where two chunks can meet', () => {
    const secrets = SECRETS.join(' and ');
    const text = `${secrets} ${'x'.repeat(4200)}`;
    const whole = redact(text);
    const redactor = createRedactor();
    for (let at = 0; at <= secrets.length; at++) {
      const out = redactor.push(text.slice(0, at)) + redactor.push(text.slice(at)) + redactor.flush();
      assert.equal(out, whole, `cut at ${at}`);
    }
  });

  it('gives the same however a text is cut, and never a secret', () => {
    const piece = fc.oneof(
      fc.constantFrom(...SECRETS, 'p4ssw0rd.p4ssw0rd'),
      fc.string({ maxLength: 40, unit: 'binary' }),
      fc.constant('y'.repeat(3000)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 }),
        (pieces, sizes) => {
          const known = ['p4ssw0rd.p4ssw0rd'];
          const text = pieces.join(' ');
          const whole = redact(text, known);
          assert.equal(inPieces(text, sizes, known), whole);
          for (const secret of [...SECRETS, ...known]) assert.ok(!whole.includes(secret));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('holds back no more than 4 kB of harmless text', () => {
    const redactor = createRedactor();
    assert.equal(redactor.push('z'.repeat(10_000)).length, 10_000 - 4096);
  });

  it('never hands out half a character', () => {
    const redactor = createRedactor();
    const text = `a${'😀'.repeat(4000)}`;
    for (const out of [redactor.push(text), redactor.push('a'), redactor.push(text), redactor.flush()])
      assert.ok(out.isWellFormed());
  });

  it('goes through JSON values, names included', () => {
    const secret = SECRETS[0] ?? '';
    assert.deepEqual(redactJson({ a: [secret, 1, null], [secret]: true }), {
      a: ['[redacted]', 1, null],
      '[redacted]': true,
    });
  });
});
