import { jsonRoute } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { recoveryList, recoverySettled } from '../schemas/project-answer.ts';
import { recoveryAnswer } from '../schemas/project-request.ts';

export const listRecoveries = jsonRoute('GET /recovery', {
  summary: 'List projects whose files were dirty after a crash and wait for an answer',
  response: recoveryList,
  handle: async (_input, { loop }) => ({ items: await loop.recoveries() }),
});

export const answerRecovery = jsonRoute('POST /projects/:pid/recovery', {
  summary: 'Choose what becomes of the dirty files, for the state that was shown',
  params: atProject,
  body: recoveryAnswer,
  response: recoverySettled,
  codes: ['project_not_found', 'plan_stale', 'bad_state'],
  starts: true,
  handle: ({ params, body }, { loop }) => loop.answerRecovery(params.pid, body),
});
