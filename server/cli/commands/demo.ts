import { defineCommand } from '../command.ts';
import { demoReport, demoText } from '../demo-report.ts';
import { EXIT, exitOfProject } from '../exit-codes.ts';
import { flag } from '../flags.ts';
import { recordingFile, requirementOf } from '../recording-file.ts';
import { plain } from '../terminal.ts';
import { untilRest } from '../until-rest.ts';

export const demo = defineCommand({
  summary: 'Take a small requirement through the whole loop: recorded decisions, real files, tests, services and git',
  flags: { recording: flag.text('--recording <file>', 'another recording of decisions') },
  routes: ['POST /projects', 'POST /projects/:pid/run', 'GET /projects/:pid/commits', 'GET /projects/:pid/tags'],
  examples: [
    { command: 'devloop demo', what: 'needs no key and no network' },
    { command: 'devloop demo --json | jq .commits', what: 'one object at the end' },
  ],
  run: async ({ recording }, context) => {
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
  print: demoText,
  status: (done) => (done.status === 'shipped' ? EXIT.ok : exitOfProject(done) || EXIT.failed),
});
