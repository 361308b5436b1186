import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DevLoopError } from '../../domain/errors.ts';
import { PRESETS } from '../../domain/team-presets.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { defineCommand } from '../command.ts';
import { flag } from '../flags.ts';
import { presetTeam } from '../preset-team.ts';
import { readProject, restText } from '../until-rest.ts';

export const newProject = defineCommand({
  summary: 'Create a project from a requirement',
  args: { requirement: { description: 'what is to be built, in plain words; @FILE reads it from a file' } },
  flags: {
    name: flag.text('--name <name>', 'a name for people'),
    company: flag.text('--company <company>', 'folder that groups projects; default where absent'),
    team: flag.text('--team <file>', 'JSON file: which driver or preset works for each role'),
    preset: flag.list('--preset <[role=]name>', `a known agent for all roles, or for one: ${PRESETS.join(', ')}`),
    model: flag.text('--model <model>', 'the model of the agents that --preset names'),
    baseUrl: flag.text('--base-url <url>', 'the endpoint of the preset openai'),
    settings: flag.text('--settings <file>', 'JSON file: gates, budgets, limits'),
  },
  routes: ['POST /projects'],
  examples: [
    { command: 'devloop new "A to-do list service"', what: 'prints the id of the project; devloop run starts it' },
    { command: 'devloop new @requirement.txt --team team.json', what: 'with a model of your own' },
    { command: 'devloop new @requirement.txt --preset claude --preset coder=codex', what: 'with a mixed team' },
  ],
  run: async ({ requirement, name, company, team: teamFile, preset, model, baseUrl, settings }, { connect, cwd }) => {
    const json = (file: string | undefined) => (file === undefined ? undefined : readJson(resolve(cwd, file)));
    const text = requirement.startsWith('@') ? readText(resolve(cwd, requirement.slice(1))) : requirement;
    if (teamFile !== undefined && preset.length > 0)
      throw new DevLoopError('bad_request', '--team and --preset exclude each other.');
    const team = preset.length > 0 ? presetTeam(preset, { model, base_url: baseUrl }) : json(teamFile);
    const body = withoutUndefined({ requirement: text, name, company, team, settings: json(settings) });
    const { api } = await connect({ create: true });
    const { pid } = await api.call('POST /projects', { body });
    return readProject(api, pid);
  },
  print: (project) => `${restText(project)}devloop run ${project.pid}\n`,
});

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new DevLoopError('not_found', `${file} cannot be read.`, { cause: error });
  }
}

/** What a file holds; the server checks it against its schema. */
function readJson(file: string) {
  try {
    return JSON.parse(readText(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DevLoopError('bad_request', `${file} is not JSON: ${error.message}`);
  }
}
