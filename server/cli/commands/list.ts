import { PROJECT_STATUSES } from '../../domain/project.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { table } from '../table.ts';

export const list = defineCommand({
  summary: 'List projects, newest first',
  flags: {
    company: flag.text('--company <company>', 'only those of a company'),
    status: flag.choice('--status <status>', 'only those in a state', PROJECT_STATUSES),
    limit: flag.number('--limit <n>', 'how many; 50 where absent'),
    cursor: flag.text('--cursor <cursor>', '`next` of the page before'),
  },
  routes: ['GET /projects'],
  examples: [{ command: 'devloop list --status blocked', what: 'projects that wait for somebody' }],
  run: async (query, { connect }) => (await connect()).api.call('GET /projects', { query: withoutUndefined(query) }),
  print: ({ items, next }, { paint }) =>
    table(
      items.map(({ pid, status, created_at, name, requirement }) => [
        pid,
        status,
        created_at.slice(0, 16),
        name ?? requirement.slice(0, 60),
      ]),
      'no projects\n',
    ) + (next === undefined ? '' : paint('dim', `more: --cursor ${next}\n`)),
});
