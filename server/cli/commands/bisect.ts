import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { commitText } from '../commit-text.ts';
import { flag, PID } from '../flags.ts';
import { table } from '../table.ts';

export const bisect = defineCommand({
  summary: 'Find the first commit that a check fails on',
  args: {
    pid: PID,
    good: { description: 'a revision where it was good' },
    bad: { description: 'one where it is bad; HEAD where absent', optional: true },
  },
  flags: {
    unit: flag.text('--unit <unit>', "check by a unit's tests"),
    case: flag.text('--case <case>', 'check by an integration case'),
  },
  routes: ['POST /projects/:pid/bisect'],
  examples: [
    {
      command: 'devloop bisect p-k3v7q2ma sdd-rev-1 HEAD --unit store',
      what: "the commit that broke the unit's tests",
    },
  ],
  run: async ({ pid, good, bad = 'HEAD', unit, case: name }, { connect, signal }) => {
    const check =
      unit !== undefined && name === undefined
        ? { unit }
        : name !== undefined && unit === undefined
          ? { case: name }
          : undefined;
    if (check === undefined) throw new DevLoopError('bad_request', 'Give either --unit or --case.');
    return (await connect()).api.call('POST /projects/:pid/bisect', {
      params: { pid },
      body: { good, bad, check },
      signal,
    });
  },
  print: ({ first_bad, tried }, terminal) =>
    table(tried.map(({ sha, verdict }) => [sha.slice(0, 7), verdict])) + commitText(first_bad, terminal),
});
