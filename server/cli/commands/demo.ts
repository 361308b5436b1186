import { createReadStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { DevLoopError } from '../../domain/errors.ts';
import type { ApiClient } from '../api-client.ts';
import { defineCommand } from '../command.ts';
import { commitLines } from '../commit-text.ts';
import { EXIT, exitOfProject } from '../exit-codes.ts';
import { flag } from '../flags.ts';
import { packageRoot } from '../package-root.ts';
import { table } from '../table.ts';
import { plain, type Terminal } from '../terminal.ts';
import { type Project, untilRest } from '../until-rest.ts';

export const demo = defineCommand({
  summary: 'Take a small requirement through the whole loop: recorded decisions, real files, tests, services and git',
  flags: { recording: flag.text('--recording <file>', 'another recording of decisions') },
  routes: ['POST /projects', 'POST /projects/:pid/run', 'GET /projects/:pid/commits', 'GET /projects/:pid/tags'],
  examples: [
    { command: 'devloop demo', what: 'needs no key and no network' },
    { command: 'devloop demo --json | jq .commits', what: 'one object at the end' },
  ],
  run: async ({ recording }, context) => {
    const file =
      recording === undefined
        ? join(packageRoot(), 'templates', 'demo', 'todo', 'recording.ndjson')
        : resolve(context.cwd, recording);
    const requirement = await requirementOf(file);
    context.terminal.note(`Requirement: ${plain(requirement)}\nThe model's decisions come from ${file}.`);
    const { api } = await context.connect({ create: true, announce: true });
    const team = { default: { driver: 'recorded' as const, recording: file } };
    const { pid } = await api.call('POST /projects', { body: { requirement, team } });
    const project = await untilRest(
      { pid, detach: false, start: () => api.call('POST /projects/:pid/run', { params: { pid } }) },
      context,
    );
    const { status, reason, detail, path } = project;
    const facts = {
      pid,
      path,
      status,
      ...(reason === undefined ? {} : { reason }),
      ...(detail === undefined ? {} : { detail }),
    };
    return {
      ...facts,
      ...(await history(
        api,
        pid,
        project.units.map(({ id }) => id),
      )),
    };
  },
  print: demoText,
  status: (done) => (done.status === 'shipped' ? EXIT.ok : exitOfProject(done) || EXIT.failed),
});

type Demo = Pick<Project, 'pid' | 'path' | 'status' | 'reason' | 'detail'> & Awaited<ReturnType<typeof history>>;

/** The history that the loop has made, and how to go on from here. */
function demoText({ pid, path, status, reason, detail, commits, tags, attempts }: Demo, terminal: Terminal): string {
  const why = [reason, detail].filter((part) => part !== undefined).map((part) => `: ${plain(part)}`);
  const names = attempts.map(({ unit, round, attempt }) => `attempts/${unit}/${round}/${attempt}`);
  const kept = table([
    ['tags', tags.join(' ')],
    ...attempts.map(({ verdict }, i) => [i === 0 ? 'attempts' : '', `${names[i]}  ${verdict}`]),
    ['folder', path],
  ]);
  const data = `--data ${dirname(dirname(dirname(dirname(path))))}`;
  const next = [
    `cd ${path} && git log --stat`,
    ...(names[0] === undefined ? [] : [`devloop diff ${pid} ${names[0]} main ${data}`]),
    `devloop show ${pid} ${data}`,
    `devloop serve ${data}`,
  ];
  return `
${terminal.paint('bold', `${pid} ${status}${why.join('')}`)}

${commitLines(commits, terminal)}
${kept}
To go on (in a checkout, \`npm run -s devloop --\` is \`devloop\`):
${next.map((line) => `  ${line}\n`).join('')}`;
}

/** The requirement that a recording answers: it is in the first line. */
async function requirementOf(file: string): Promise<string> {
  const input = createReadStream(file);
  try {
    for await (const line of createInterface({ input })) {
      const header: unknown = JSON.parse(line);
      if (
        typeof header === 'object' &&
        header !== null &&
        'requirement' in header &&
        typeof header.requirement === 'string'
      ) {
        return header.requirement;
      }
      break;
    }
  } catch (error) {
    throw new DevLoopError('not_found', `${file} cannot be read as a recording.`, { cause: error });
  } finally {
    input.destroy();
  }
  throw new DevLoopError('bad_request', `The first line of ${file} names no requirement.`);
}

async function history(api: ApiClient, pid: string, units: readonly string[]) {
  const params = { pid };
  const commits = await pages((cursor) =>
    api.call('GET /projects/:pid/commits', { params, query: { limit: 500, cursor } }),
  );
  const tags = await api.call('GET /projects/:pid/tags', { params });
  const attempts = await Promise.all(
    units.map((unit) => api.call('GET /projects/:pid/units/:unit/attempts', { params: { pid, unit } })),
  );
  const events = await pages((after) =>
    api.call('GET /projects/:pid/timeline', { params, query: { limit: 500, after } }),
  );
  return {
    commits,
    tags: tags.items.map(({ name }) => name),
    attempts: attempts.flatMap(({ items }) => items),
    events: events.length,
  };
}

/** All items of a list, page by page. */
async function pages<Item>(
  read: (next: string | undefined) => Promise<{ readonly items: readonly Item[]; readonly next?: string | undefined }>,
) {
  const all: Item[] = [];
  let next: string | undefined;
  do {
    const page = await read(next);
    all.push(...page.items);
    next = page.next;
  } while (next !== undefined);
  return all;
}
