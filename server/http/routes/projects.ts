import { withoutUndefined } from '../../domain/without-undefined.ts';
import { pageOf } from '../page-of.ts';
import { emptyRoute, jsonRoute } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { createdProject, project, projectList, toSummary } from '../schemas/project-answer.ts';
import { newProject, projectQuery } from '../schemas/project-request.ts';

export const createProject = jsonRoute('POST /projects', {
  summary: 'Create a project',
  body: newProject,
  status: 201,
  response: createdProject,
  codes: ['disk_full', 'read_only'],
  starts: true,
  handle: ({ body }, { loop }) => loop.create(withoutUndefined(body)),
});

export const listProjects = jsonRoute('GET /projects', {
  summary: 'List projects, newest first',
  query: projectQuery,
  response: projectList,
  handle: async ({ query }, { loop }) => {
    const { company, status, limit, cursor } = query;
    const all = await loop.list();
    const wanted = all.filter(
      (item) => (company === undefined || item.cid === company) && (status === undefined || item.status === status),
    );
    const page = pageOf(wanted, { limit, cursor, keyOf: (item) => `${item.created_at} ${item.pid}` });
    return { ...page, items: page.items.map(toSummary) };
  },
});

export const getProject = jsonRoute('GET /projects/:pid', {
  summary: 'Show a project: status, units, calls, costs, settings',
  params: atProject,
  response: project,
  codes: ['project_not_found'],
  handle: ({ params }, { loop }) => loop.project(params.pid),
});

export const deleteProject = emptyRoute('DELETE /projects/:pid', {
  summary: 'Delete a project with its folder and history',
  params: atProject,
  codes: ['project_not_found', 'already_running'],
  handle: ({ params }, { loop }) => loop.remove(params.pid),
});
