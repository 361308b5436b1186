import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readScript } from '../../../scripts/demo-recordings/script.ts';
import { readRecording } from '../../../server/agents/recorded/recording.ts';
import type { RecordedTurn } from '../../../server/agents/recorded/recording-lines.ts';
import { shortDigest } from '../../../server/agents/recorded/request-parts.ts';
import { rolePrompt } from '../../../server/agents/role-prompt.ts';
import { TEMPLATES } from '../../support/agents-lab.ts';

const DEMOS = join(TEMPLATES, 'demo');
const MAKE = 'make it anew: node scripts/make-demo-recordings.ts';
const names = readdirSync(DEMOS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function turnsOf(name: string): readonly RecordedTurn[] {
  const text = readFileSync(join(DEMOS, name, 'recording.ndjson'), 'utf8');
  return text
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line));
}

describe('an embedded recording', () => {
  it('is there for the demo and for phase 0', () => {
    assert.deepEqual(names.sort(), ['phase0', 'todo']);
  });

  for (const name of names) {
    it(`says what its script says: ${name}`, async () => {
      const script = await readScript(join(DEMOS, name, 'script', 'calls.mjs'));
      const recording = readRecording(join(DEMOS, name, 'recording.ndjson'), name);
      if (recording.kind === 'failed') assert.fail(recording.detail);
      assert.deepEqual([recording.header.requirement, recording.header.source], [script.requirement, 'scripted']);
      for (const { turns, role, unit, round, attempt } of script.calls) {
        for (const [i, turn] of turns.entries()) {
          const recorded: RecordedTurn | undefined = recording.turn(
            { role, round, attempt, ...(unit === undefined ? {} : { unit }) },
            i + 1,
          )?.turn;
          assert.equal(recorded?.message, turn.say, `${role} ${unit ?? ''} turn ${i + 1}; ${MAKE}`);
          const calls: unknown = recorded.tool_calls.map((call) => [call.name, JSON.parse(call.arguments)]);
          assert.deepEqual(calls, turn.calls, MAKE);
          assert.equal(recorded.expect?.length ?? 0, turn.calls.length, 'each call has its expectation');
          for (const { text } of recorded.expect ?? []) assert.ok(!text.startsWith('error: '), text);
        }
      }
      assert.equal(turnsOf(name).length, script.calls.flatMap(({ turns }) => turns).length, MAKE);
    });

    it(`was made with the prompts of today: ${name}`, () => {
      for (const { role, request } of turnsOf(name)) {
        assert.equal(request[1], `system ${shortDigest(rolePrompt(TEMPLATES, role).text)}`, `${role}: ${MAKE}`);
      }
    });

    it(`holds no path, port or id of the run that made it: ${name}`, () => {
      const text = readFileSync(join(DEMOS, name, 'recording.ndjson'), 'utf8');
      assert.doesNotMatch(text, /\/tmp\/|\/home\/|"p-[a-z2-7]{8}|run-[a-z2-7]{12}|127\.0\.0\.1:\d/);
    });
  }
});
