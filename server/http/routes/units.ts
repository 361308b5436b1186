import { z } from 'zod';
import { pageOf } from '../page-of.ts';
import { jsonRoute } from '../route.ts';
import { attemptList } from '../schemas/commit.ts';
import { atProject, projectParam, runParam, unitParam } from '../schemas/common.ts';
import { runList, runResult, unitList } from '../schemas/project-answer.ts';
import { pageQuery } from '../schemas/project-request.ts';

export const listUnits = jsonRoute('GET /projects/:pid/units', {
  summary: 'List the units',
  params: atProject,
  response: unitList,
  codes: ['project_not_found'],
  handle: async ({ params }, { loop }) => ({ items: await loop.units(params.pid) }),
});

export const listAttempts = jsonRoute('GET /projects/:pid/units/:unit/attempts', {
  summary: "List a unit's red and failed attempts, newest first",
  params: z.strictObject({ pid: projectParam, unit: unitParam }),
  response: attemptList,
  codes: ['project_not_found'],
  handle: async ({ params }, { vault }) => {
    const attempts = await vault.attempts(params.pid, params.unit);
    return { items: attempts.toSorted((a, b) => b.round - a.round || b.attempt - a.attempt) };
  },
});

export const listRuns = jsonRoute('GET /projects/:pid/runs', {
  summary: 'List test runs and integration runs, newest first',
  params: atProject,
  query: pageQuery,
  response: runList,
  codes: ['project_not_found'],
  handle: async ({ params, query }, { loop }) =>
    pageOf(await loop.runs(params.pid), { ...query, keyOf: (run) => `${run.ts} ${run.run}` }),
});

export const getRun = jsonRoute('GET /projects/:pid/runs/:run', {
  summary: 'Show a run with its result',
  params: z.strictObject({ pid: projectParam, run: runParam }),
  response: runResult,
  codes: ['project_not_found', 'run_not_found'],
  handle: ({ params }, { loop }) => loop.runResult(params.pid, params.run),
});
