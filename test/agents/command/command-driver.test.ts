import assert from 'node:assert/strict';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { RoleTeam } from '../../../server/domain/team.ts';
import { CODER_INPUT, CODER_RESULT, coderContext, fenced, LIMITS } from '../../support/agent-context.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

type CommandTeam = Extract<RoleTeam, { driver: 'command' }>;

/** An agent in a few lines of JavaScript; `stdin` and `argv` are given, each run's standard input is kept. */
async function run(t: TestContext, source: string, team: Partial<CommandTeam> = {}, limits = LIMITS) {
  const folder = scratchFolder(t);
  const program = join(folder, 'agent');
  const head = `#!${process.execPath}\nconst fs = require('fs'); const stdin = fs.readFileSync(0, 'utf8'); const argv = process.argv.slice(2);
  fs.appendFileSync(${JSON.stringify(join(folder, 'runs'))}, JSON.stringify({ stdin, argv }) + '\\n');
  const event = (value) => console.log(JSON.stringify(value));\n`;
  writeFileSync(program, head + source);
  chmodSync(program, 0o755);
  const { continue_with, ...rest } = team;
  const again = continue_with?.map((part) => part.replace('{program}', program));
  const context = coderContext(t, {
    limits,
    team: { driver: 'command', ...rest, command: [program], ...(again === undefined ? {} : { continue_with: again }) },
  });
  const outcome = await (await wholeManager(t)).callAgent('coder', CODER_INPUT, context);
  const runs = readFileSync(join(folder, 'runs'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { outcome, runs: runs as { stdin: string; argv: string[] }[], context };
}

const RESULT = JSON.stringify(fenced(CODER_RESULT));
const done = `event({ type: 'item.completed', item: { type: 'agent_message', text: ${RESULT} } }); event({ type: 'turn.completed' });`;

describe('a command as an agent', () => {
  it('reads all that it is told as JSON from its standard input, and nothing from its arguments', async (t) => {
    const { runs, context, outcome } = await run(t, `process.stdout.write(${RESULT})`);
    assert.equal(outcome.kind, 'completed');
    const { prompt, ...given } = JSON.parse(runs[0]?.stdin ?? '');
    assert.deepEqual(given, {
      schema: 1,
      call: context.call,
      role: 'coder',
      round: 1,
      attempt: 1,
      input: CODER_INPUT,
      scope: context.scope,
      result_file: join(context.root, 'agent-state/calls', context.call, 'out/result.json'),
    });
    assert.match(prompt, /^# Coder[\s\S]*"unit": "store"[\s\S]*out\/result\.json/);
    assert.deepEqual(runs[0]?.argv, []);
  });

  it('with a decoder reads its prompt as text, however long', async (t) => {
    const { runs, outcome } = await run(t, done, { decoder: 'codex', model: 'm' });
    assert.equal(outcome.kind, 'completed');
    assert.equal(outcome.record.model, 'm');
    assert.match(runs[0]?.stdin ?? '', /^# Coder/);
  });

  it('that remembers is told only what is new', async (t) => {
    const source = `event({ type: 'thread.started', thread_id: 'th-7' }); if (argv[0] === 'resume') { ${done} } else event({ type: 'turn.completed' });`;
    const forgetful = await run(t, source, { decoder: 'codex' });
    assert.equal(forgetful.outcome.kind, 'failed', 'a new conversation each time');
    assert.match(forgetful.runs[1]?.stdin ?? '', /^# Coder[\s\S]*your last message was[\s\S]*does not fit/);
    const { runs, outcome } = await run(t, source, {
      decoder: 'codex',
      continue_with: ['{program}', 'resume', '{session}', '-'],
    });
    assert.equal(outcome.kind, 'completed');
    assert.deepEqual(runs[1]?.argv, ['resume', 'th-7', '-']);
    assert.match(runs[1]?.stdin ?? '', /^Your result does not fit/);
  });

  it('is judged by its own last word, not by its exit status', async (t) => {
    const { outcome } = await run(t, `${done} process.exitCode = 9;`, { decoder: 'codex' });
    assert.equal(outcome.kind, 'completed');
    const silent = await run(t, 'console.error("gone")', { decoder: 'codex' });
    assert.equal(
      silent.outcome.kind === 'failed' && silent.outcome.detail,
      'the program ended with status 0, without a word that it was done: gone',
    );
  });

  it('is ended when it stays after its last word', async (t) => {
    const { outcome } = await run(t, `${done} setInterval(() => {}, 1000);`, { decoder: 'codex' });
    assert.equal(outcome.kind, 'completed');
  });

  it('is told of by what it spent', async (t) => {
    const source = `event({ type: 'item.completed', item: { type: 'agent_message', text: ${RESULT} } }); event({ type: 'turn.completed', usage: { input_tokens: 12, output_tokens: 3 } });`;
    const { outcome } = await run(t, source, { decoder: 'codex' });
    assert.deepEqual(outcome.record.usage, { input_tokens: 12, output_tokens: 3 });
  });
});
