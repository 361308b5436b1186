import { join } from 'node:path';
import { describeDriver } from '../../contracts/agent-driver.ts';
import { wholeManager } from '../../support/agents-lab.ts';
import { ROOT } from '../../support/running-server.ts';

describeDriver('acp', {
  broken: 'agent_error',
  endless: ['is silent', 'floods', 'is busy'],
  agent: async (t, behaviour) => ({
    manager: await wholeManager(t),
    team: {
      driver: 'acp',
      command: [process.execPath, join(ROOT, 'test/support/bad-agents/acp-agent.mjs'), behaviour],
    },
  }),
});
