import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastJsonBlock } from '../../server/agents/last-json-block.ts';

const block = (label: string, text: string) => `\`\`\`${label}\n${text}\n\`\`\`\n`;

describe('the last JSON block of a message', () => {
  it('is the last one that is labelled json', () => {
    assert.equal(lastJsonBlock(`a\n${block('json', '{"a":1}')}b\n${block('json', '{"a":2}')}c`), '{"a":2}');
  });

  it('is taken without a label where it begins with a brace', () => {
    assert.equal(lastJsonBlock(block('', '{"a":1}')), '{"a":1}');
    assert.equal(lastJsonBlock(block('', 'some output')), undefined);
  });

  it('is not hidden by blocks of other languages after it', () => {
    assert.equal(lastJsonBlock(block('JSON', '{"a":1}') + block('sh', 'ls') + block('', 'output')), '{"a":1}');
  });

  it('may hold fences of another kind, and fences in longer fences are its text', () => {
    assert.equal(lastJsonBlock('~~~json\n{"a":"```"}\n~~~'), '{"a":"```"}');
    assert.equal(lastJsonBlock(`\`\`\`\`md\n${block('json', '{"a":1}')}\`\`\`\``), undefined);
  });

  it('ends with the message where its fence is never closed', () => {
    assert.equal(lastJsonBlock('```json\n{"a":1}'), '{"a":1}');
  });

  it('reads windows line ends', () => {
    assert.equal(lastJsonBlock('```json\r\n{"a":1}\r\n```\r\n'), '{"a":1}');
  });

  it('is absent where nothing is fenced', () => {
    assert.equal(lastJsonBlock('{"a":1}'), undefined);
    assert.equal(lastJsonBlock(''), undefined);
  });
});
