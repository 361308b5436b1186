import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SETTING_NAMES, SETTINGS } from '../../server/config/index.ts';
import type { Setting } from '../../server/config/setting.ts';
import { ROOT } from '../support/running-server.ts';

describe('docs/config.md', () => {
  const rows = readFileSync(join(ROOT, 'docs/config.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

  it('lists every setting in the order of the code', () => {
    assert.deepEqual(
      rows.map(([name]) => name),
      SETTING_NAMES.map((name) => `\`${name}\``),
    );
  });

  for (const [i, name] of SETTING_NAMES.entries()) {
    it(`says of ${name} what the code says`, () => {
      const { env, flag, default: value, default_text, doc, personal }: Setting = SETTINGS[name];
      const plain = typeof value === 'string' ? value : JSON.stringify(value);
      assert.deepEqual(rows[i]?.slice(1), [
        `\`${env}\``,
        flag === undefined ? '' : `\`${flag}\``,
        value === undefined ? default_text : `\`${plain}\``,
        personal ? `${doc} *Personal.*` : doc,
      ]);
    });
  }
});

describe('a setting', () => {
  for (const name of SETTING_NAMES) {
    const declared: Setting = SETTINGS[name];
    it(`${name} has a variable after its name, a default that fits, and a sentence`, () => {
      assert.equal(declared.env, `DEVLOOP_${name.toUpperCase()}`);
      assert.match(declared.doc, /^[A-Z].*\.$/);
      if (declared.default === undefined) assert.ok(declared.default_text);
      else assert.deepEqual(declared.schema.parse(declared.default), declared.default);
    });
  }
});
