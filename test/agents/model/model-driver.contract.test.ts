import type { TestContext } from 'node:test';
import { type Behaviour, describeDriver, type EndlessBehaviour } from '../../contracts/agent-driver.ts';
import { CODER_RESULT, fenced } from '../../support/agent-context.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { answersWith, type ChatAnswer, chatServer, event, says } from '../../support/chat-server.ts';

const word = event({ choices: [{ delta: { content: 'word '.repeat(20) } }] });

const endless =
  (text: string, every_ms: number): ChatAnswer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    const timer = setInterval(() => text !== '' && response.write(text), every_ms);
    response.on('close', () => clearInterval(timer));
  };

const ANSWERS: Readonly<Record<Behaviour | EndlessBehaviour, readonly ChatAnswer[]>> = {
  answers: [says(fenced(CODER_RESULT))],
  'answers at the second prompt': [says('done'), says(fenced(CODER_RESULT))],
  'never fits': [says('done')],
  fails: [answersWith(400, { error: 'bad request' })],
  'is silent': [endless('', 1000)],
  floods: [endless(word.repeat(50), 1)],
  'is busy': [endless(word, 50)],
};

describeDriver('model', {
  broken: 'agent_error',
  endless: ['is silent', 'floods', 'is busy'],
  agent: async (t: TestContext, behaviour) => {
    const { base_url } = await chatServer(t, ANSWERS[behaviour]);
    const manager = await wholeManager(t);
    return { manager, team: { driver: 'model', base_url, model: 'm' } };
  },
});
