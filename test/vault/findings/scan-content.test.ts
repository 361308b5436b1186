import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { privateKeys } from '../../../server/vault/findings/private-keys.ts';
import { scanContents } from '../../../server/vault/findings/scan-content.ts';
import { TOKEN_PATTERNS } from '../../../server/vault/findings/token-patterns.ts';
import { HOSTILE_TEXTS } from '../../support/secrets/hostile-texts.ts';
import { randomText, SECRETS } from '../../support/secrets/kinds.ts';
import { LOOK_ALIKES } from '../../support/secrets/look-alikes.ts';

const scan = async (content: string | Uint8Array) => (await scanContents([Buffer.from(content)]))[0] ?? [];
const rules = async (content: string | Uint8Array) => (await scan(content)).map(({ rule }) => rule);

const GITHUB = ['gh', 'p_', randomText('one token', 36)].join('');
const OTHER = ['gh', 'p_', randomText('another token', 36)].join('');

describe('a secret in a file', () => {
  for (const { what, content } of SECRETS) {
    it(`is found: ${what}`, async (t) => {
      const findings = await scan(content);
      assert.equal(findings.length, 1, JSON.stringify(findings));
      t.diagnostic(`${what}: ${findings[0]?.rule}`);
    });
  }

  it('is found in at least 32 kinds', () => assert.ok(SECRETS.length >= 32, `${SECRETS.length} kinds`));

  it('is told by its line and the beginning of its digest, never by itself', async () => {
    const [finding] = await scan(`a\nb\ntoken = "${GITHUB}"\n`);
    assert.deepEqual(Object.keys(finding ?? {}), ['rule', 'line', 'secrets']);
    assert.equal(finding?.line, 3);
    assert.match(finding?.secrets.join() ?? '', /^[0-9a-f]{16}$/);
  });

  it('is counted once for each that differs', async () => {
    const [finding] = await scan(`${GITHUB}\n${OTHER}\n${GITHUB}\n`);
    assert.equal(finding?.secrets.length, 2);
    assert.deepEqual((await scan(`\n\n${OTHER}`))[0]?.secrets, finding?.secrets.slice(1));
  });

  it('is not told apart from others where there are very many', async () => {
    const many = Array.from({ length: 101 }, (_, i) => ['gh', 'p_', randomText(`token ${i}`, 36)].join(''));
    assert.deepEqual((await scan(many.join('\n')))[0]?.secrets, []);
  });

  it('is found in UTF-16, between bytes that are no text, and at the very end', async () => {
    assert.deepEqual(await rules(Buffer.from(`\ufeffkey=${GITHUB}\r\n`, 'utf16le')), ['github']);
    const binary = Buffer.concat([Buffer.from([0, 255, 128, 0]), Buffer.from(GITHUB), Buffer.from([0, 200])]);
    assert.deepEqual(await rules(binary), ['github']);
    assert.deepEqual(await rules(`x ${GITHUB}`), ['github']);
  });

  it('is found in each of many files that are looked at in one go, and only there', async () => {
    const contents = [...SECRETS, ...LOOK_ALIKES].map(({ content }) => Buffer.from(content));
    const alone = await Promise.all(contents.map((content) => scan(content)));
    assert.deepEqual(await scanContents(contents), alone);
    const cut = GITHUB.length / 2;
    const halves = [GITHUB.slice(0, cut), GITHUB.slice(cut), '', GITHUB].map((text) => Buffer.from(text));
    assert.deepEqual(
      (await scanContents(halves)).map(({ length }) => length),
      [0, 0, 0, 1],
    );
  });

  it('is found although a comment says that it is none', async () => {
    for (const comment of ['secretlint-disable', 'secretlint-disable-line', 'secretlint-disable-next-line']) {
      assert.deepEqual(await rules(`// ${comment}\nconst token = '${GITHUB}'; // ${comment}\n`), ['github'], comment);
    }
    assert.deepEqual(await rules(`/* eslint-disable */ // gitleaks:allow nosec\n'${GITHUB}' // gitleaks:allow`), [
      'github',
    ]);
  });
});

describe('what looks like a secret', () => {
  for (const { what, content } of LOOK_ALIKES) {
    it(`is let by: ${what}`, async () => assert.deepEqual(await scan(content), []));
  }

  it('is tried in at least 15 forms', () => assert.ok(LOOK_ALIKES.length >= 15, `${LOOK_ALIKES.length} forms`));
});

describe('a hostile text of 1 MB', () => {
  for (const [what, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`takes no more than a bounded time: ${what}`, async (t) => {
      const begun = process.cpuUsage();
      await scan(text);
      const { user, system } = process.cpuUsage(begun);
      const ms = (user + system) / 1000;
      t.diagnostic(`${what}: ${ms.toFixed(0)} ms`);
      assert.ok(ms < 1500, `${ms} ms`);
    });
  }

  it('takes time in proportion to its length by our own patterns', () => {
    const cost = (text: string) => {
      const begun = process.cpuUsage().user;
      for (const { pattern } of TOKEN_PATTERNS) for (const _ of text.matchAll(pattern));
      for (const _ of privateKeys(text));
      return process.cpuUsage().user - begun;
    };
    for (const [what, text] of Object.entries(HOSTILE_TEXTS)) {
      const [part, whole] = [cost(text.slice(0, text.length / 4)), cost(text)];
      assert.ok(whole < part * 12 + 100_000, `${what}: ${part} µs for a quarter, ${whole} µs for all`);
    }
  });
});
