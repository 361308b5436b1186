import { dirname } from 'node:path';
import { withoutUndefined } from '../domain/without-undefined.ts';
import type { ApiClient } from './api-client.ts';
import { commitLines } from './commit-text.ts';
import { table } from './table.ts';
import { plain, type Terminal } from './terminal.ts';
import type { Project } from './until-rest.ts';

/** What the demo gives out at its end. */
export type DemoReport = Awaited<ReturnType<typeof demoReport>>;

export async function demoReport(api: ApiClient, project: Project) {
  const { pid, path, status, reason, detail, units } = project;
  const why = withoutUndefined({ reason, detail });
  return {
    pid,
    path,
    status,
    ...why,
    ...(await history(
      api,
      pid,
      units.map(({ id }) => id),
    )),
  };
}

/** The history that the loop has made, and how to go on from here. */
export function demoText(
  { pid, path, status, reason, detail, commits, tags, attempts }: DemoReport,
  terminal: Terminal,
): string {
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
