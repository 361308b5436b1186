import { DevLoopError } from '../../domain/errors.ts';
import { defineCommand } from '../command.ts';
import { demoReport, demoText } from '../demo-report.ts';
import { EXIT, exitOfProject } from '../exit-codes.ts';
import { flag } from '../flags.ts';
import { recordingFile, requirementOf } from '../recording-file.ts';
import { workspaceDemo, workspaceDemoText } from '../run-workspace-demo.ts';
import { plain } from '../terminal.ts';
import { untilRest } from '../until-rest.ts';

export const demo = defineCommand({
  summary:
    'Take a small requirement through the whole loop: recorded decisions, real files, tests, services and git; or a folder of a person through point, edits, restore and undo',
  args: { what: { description: '`loop`, also where absent, or `workspace`', optional: true } },
  flags: { recording: flag.text('--recording <file>', 'another recording of decisions') },
  routes: ['POST /projects', 'POST /projects/:pid/run', 'GET /projects/:pid/commits', 'GET /projects/:pid/tags'],
  examples: [
    { command: 'devloop demo', what: 'needs no key and no network' },
    { command: 'devloop demo --json | jq .commits', what: 'one object at the end' },
    { command: 'devloop demo workspace', what: 'ends with status 0 only if every byte is as it must be' },
  ],
  run: async ({ what = 'loop', recording }, context) => {
    if (what === 'workspace') return workspaceDemo(context);
    if (what !== 'loop')
      throw new DevLoopError('bad_request', `There is no demo ${what}.`, { hint: '`loop` or `workspace`.' });
    const file = recordingFile(context.cwd, recording);
    const requirement = await requirementOf(file);
    context.terminal.note(`Requirement: ${plain(requirement)}\nThe model's decisions come from ${file}.`);
    const { api } = await context.connect({ create: true, announce: true });
    const team = { default: { driver: 'recorded' as const, recording: file } };
    const { pid } = await api.call('POST /projects', { body: { requirement, team } });
    const project = await untilRest(
      { pid, detach: false, start: () => api.call('POST /projects/:pid/run', { params: { pid } }) },
      context,
    );
    return demoReport(api, project);
  },
  print: (done, terminal) => ('equal' in done ? workspaceDemoText(done) : demoText(done, terminal)),
  status: (done) => {
    if ('equal' in done) return done.equal ? EXIT.ok : EXIT.failed;
    return done.status === 'shipped' ? EXIT.ok : exitOfProject(done) || EXIT.failed;
  },
});
