import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { visibleText } from '../../server/agents/visible-text.ts';

describe("an agent's text", () => {
  it('shows escape sequences as signs', () => {
    assert.equal(visibleText('\u001b[2J\u001b]0;title\u0007\r'), '␛[2J␛]0;title␇␍');
    assert.equal(visibleText('\u009b31m \u007f'), '\\u009b31m ␡');
  });

  it('shows marks that turn the direction or have no width', () => {
    assert.equal(visibleText('a\u202eb\u200bc\ufeff'), 'a\\u202eb\\u200bc\\ufeff');
  });

  it('keeps tabs, newlines, accents and pictures', () => {
    const text = 'a\tb\nÄé日本 👩‍💻';
    assert.equal(visibleText(text), text);
  });

  it('is the same however it is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(), (text, at) => {
        const cut = at % (text.length + 1);
        assert.equal(visibleText(text.slice(0, cut)) + visibleText(text.slice(cut)), visibleText(text));
      }),
    );
  });
});
