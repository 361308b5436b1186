import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { modelDriver } from '../../../server/agents/model/model-driver.ts';
import { recordedChat } from '../../../server/agents/recorded/recorded-chat.ts';
import { type Behaviour, describeDriver } from '../../contracts/agent-driver.ts';
import { CODER_INPUT, CODER_RESULT, coderContext, fenced } from '../../support/agent-context.ts';
import { MODEL_TEAM, managerOf, wholeManager } from '../../support/agents-lab.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type ScriptedTurn, scriptedChat } from '../../support/scripted-chat.ts';

const good = { say: fenced(CODER_RESULT) };
const use = { calls: [['list_files', {}] as const] };
const TURNS: Readonly<Record<Behaviour, readonly ScriptedTurn[]>> = {
  answers: [{ calls: [['write_file', { path: 'units/store/code/a', content: 'x' }]] }, good],
  'answers at the second prompt': [{ say: 'done' }, good],
  'never fits': [{ say: 'done' }, { say: 'done' }],
  fails: [use],
};

describeDriver('recorded', {
  broken: 'replay_diverged',
  endless: [],
  agent: async (t: TestContext, behaviour) => {
    const path = join(scratchFolder(t), 'recording.ndjson');
    const turns = TURNS[behaviour as Behaviour];
    const script = () => ({ kind: 'chat', chat: scriptedChat(turns), about: { model: 'm' }, max_turns: 5 }) as const;
    const open = recordedChat(script, { path, source: 'recorded', date: () => '2026-01-02', secretsOf: () => [] });
    await managerOf(modelDriver(open)).callAgent('coder', CODER_INPUT, coderContext(t, { team: MODEL_TEAM }));
    const manager = await wholeManager(t);
    return { manager, team: { driver: 'recorded', recording: path } };
  },
});
