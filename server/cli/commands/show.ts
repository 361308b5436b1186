import { defineCommand } from '../command.ts';
import { commitText, filesText } from '../commit-text.ts';
import { PID } from '../flags.ts';
import { table } from '../table.ts';
import { plain, type Terminal } from '../terminal.ts';
import { type Project, readProject } from '../until-rest.ts';

export const show = defineCommand({
  summary: 'Show a project, or one of its commits with the files it changed',
  args: {
    pid: PID,
    rev: { description: 'commit, tag, HEAD, attempts/UNIT/ROUND/ATTEMPT or rescue/ID', optional: true },
  },
  routes: ['GET /projects/:pid', 'GET /projects/:pid/commits/:rev'],
  examples: [
    { command: 'devloop show p-k3v7q2ma', what: 'status, units, calls, costs' },
    { command: 'devloop show p-k3v7q2ma prd-rev-1', what: 'the commit that a tag names' },
  ],
  run: async ({ pid, rev }, { connect }) => {
    const { api } = await connect();
    if (rev === undefined) return { kind: 'project' as const, ...(await readProject(api, pid)) };
    return {
      kind: 'commit' as const,
      ...(await api.call('GET /projects/:pid/commits/:rev', { params: { pid, rev } })),
    };
  },
  print: (shown, terminal) =>
    shown.kind === 'commit' ? commitText(shown, terminal) + filesText(shown.files) : projectText(shown, terminal),
});

function projectText(project: Project, { paint }: Terminal): string {
  const { pid, status, reason, detail, hint, path, revisions, round, spent, head, units } = project;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['status', `${status}${reason === undefined ? '' : `: ${reason}`}${detail === undefined ? '' : `: ${detail}`}`],
    ['next', hint],
    ['requirement', project.requirement],
    ['folder', path],
    ['head', head],
    ['revisions', `prd ${revisions.prd}, sdd ${revisions.sdd}, integration round ${round}`],
    ['spent', `${spent.calls} calls, ${spent.tokens} tokens, ${spent.cost} USD`],
  ];
  return [
    paint('bold', pid),
    table(facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, plain(value)]]))).trimEnd(),
    ...(units.length === 0 ? [] : ['', unitsText(units).trimEnd()]),
    '',
  ].join('\n');
}

/** One line a unit. */
export function unitsText(units: Project['units']): string {
  return table(
    units.map(({ id, status, round, attempt, title }) => [id, status, `round ${round}, attempt ${attempt}`, title]),
    'no units yet\n',
  );
}
