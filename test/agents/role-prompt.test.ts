import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastJsonBlock } from '../../server/agents/last-json-block.ts';
import { rolePrompt } from '../../server/agents/role-prompt.ts';
import { RESULT_SCHEMAS } from '../../server/domain/agent-results.ts';
import { parseCallId, parseRunId, parseUnitId } from '../../server/domain/ids.ts';
import { ROLES } from '../../server/domain/roles.ts';
import { roleScope } from '../../server/domain/write-scope.ts';
import { TEMPLATES } from '../support/agents-lab.ts';

describe("a role's prompt", () => {
  for (const role of ROLES) {
    it(`of ${role} has a version, a digest, and a result that fits the schema`, () => {
      const { text, digest } = rolePrompt(TEMPLATES, role);
      assert.match(text, /^# \w+ · prompt version \d+\n/);
      assert.match(digest, /^[0-9a-f]{12}$/);
      const examples = text.match(/^```json\n[\s\S]*?^```$/gm) ?? [];
      assert.equal(examples.length, 1);
      const parsed = RESULT_SCHEMAS[role].safeParse(JSON.parse(lastJsonBlock(examples[0] ?? '') ?? ''));
      assert.ok(parsed.success, parsed.error?.message);
    });

    it(`of ${role} names the folders and files that it may write`, () => {
      const scope = roleScope(role, {
        call: parseCallId('c'),
        unit: parseUnitId('unit-id'),
        run: parseRunId('run-id'),
      });
      const { text } = rolePrompt(TEMPLATES, role);
      for (const pattern of scope.filter((one) => !one.startsWith('agent-state/'))) {
        const shown = pattern
          .replace('unit-id', '{unit}')
          .replace('run-id', '{run}')
          .replace('*/contract', '{unit}/contract');
        assert.ok(text.includes(shown.replace(/\*\*$/, '')), `${pattern} in ${role}.md`);
      }
    });
  }
});
