import { z } from 'zod';
import { pathText } from '../../domain/byte-path.ts';
import { DevLoopError } from '../../domain/errors.ts';
import type { ProjectId } from '../../domain/ids.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import { jsonRoute } from '../route.ts';
import {
  bisect,
  bisected,
  madeTag,
  maintained,
  newTag,
  rescueList,
  reset,
  restored,
  revert,
  reverted,
  toCommit,
  toRestored,
} from '../schemas/commit.ts';
import { atProject, projectParam, rescueParam } from '../schemas/common.ts';
import type { HttpServices } from '../services.ts';

export const makeTag = jsonRoute('POST /projects/:pid/tags', {
  summary: 'Make an annotated tag',
  params: atProject,
  body: newTag,
  status: 201,
  response: madeTag,
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found', 'tag_exists'],
  handle: ({ params, body }, { vault }) => {
    const { name, ref, message } = body;
    return vault.tag(params.pid, name, withoutUndefined({ ref, message }));
  },
});

export const listRescues = jsonRoute('GET /projects/:pid/rescues', {
  summary: 'List what was kept before something would have overwritten it, newest first',
  params: atProject,
  response: rescueList,
  codes: ['project_not_found'],
  handle: async ({ params }, { vault }) => {
    const rescues = await vault.rescues(params.pid);
    return { items: rescues.toSorted((a, b) => (a.ts < b.ts ? 1 : a.ts > b.ts ? -1 : 0)) };
  },
});

export const restoreRescue = jsonRoute('POST /projects/:pid/rescues/:id/restore', {
  summary: 'Bring the files of a rescue back; what they overwrite is kept in another',
  params: z.strictObject({ pid: projectParam, id: rescueParam }),
  response: restored,
  codes: ['project_not_found', 'not_found', 'ref_not_found', 'already_running', 'precondition_failed'],
  handle: async ({ params, ifMatch }, services) => {
    await mayChange(services, params.pid, ifMatch);
    return toRestored(await services.vault.restoreRescue(params.pid, params.id));
  },
});

export const resetProject = jsonRoute('POST /projects/:pid/reset', {
  summary: 'Make the files those of a revision; uncommitted work is kept in a rescue, ledgers keep their lines',
  params: atProject,
  body: reset,
  response: restored,
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found', 'already_running', 'precondition_failed'],
  handle: async ({ params, body, ifMatch }, services) => {
    await mayChange(services, params.pid, ifMatch);
    return toRestored(await services.vault.resetWorkingTree(params.pid, { ref: body.ref, reason: 'reset' }));
  },
});

export const revertCommit = jsonRoute('POST /projects/:pid/revert', {
  summary: 'Undo a commit by a new one',
  params: atProject,
  body: revert,
  response: reverted,
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found', 'already_running', 'conflict', 'precondition_failed'],
  handle: async ({ params, body, ifMatch }, services) => {
    await mayChange(services, params.pid, ifMatch);
    const outcome = await services.vault.revert(params.pid, body.rev);
    if (outcome.kind !== 'conflict') return outcome;
    throw new DevLoopError('conflict', `Undoing ${body.rev} conflicts with later changes; nothing was changed.`, {
      data: { files: outcome.files.map(pathText) },
    });
  },
});

export const maintainProject = jsonRoute('POST /projects/:pid/maintain', {
  summary: 'Pack the repository, and let go of what was kept long enough after the end of the project',
  params: atProject,
  response: maintained,
  codes: ['project_not_found', 'already_running', 'disk_full', 'timeout'],
  handle: async ({ params }, services) => {
    await mayChange(services, params.pid, undefined);
    return services.vault.maintain(params.pid);
  },
});

export const bisectProject = jsonRoute('POST /projects/:pid/bisect', {
  summary: 'Find the first commit that a check fails on; each is tried in a folder of its own',
  params: atProject,
  body: bisect,
  response: bisected,
  codes: ['project_not_found', 'ref_invalid', 'ref_not_found', 'unit_not_found', 'conflict'],
  handle: async ({ params, body, signal }, { vault }) => {
    const { first_bad, tried } = await vault.bisect(params.pid, { ...body, signal });
    return { first_bad: toCommit(first_bad), tried };
  },
});

/** Refuses while the loop writes, and where the files are not what the client saw (If-Match with the ETag of /status). */
async function mayChange({ loop, vault }: HttpServices, pid: ProjectId, ifMatch: string | undefined): Promise<void> {
  const { status } = await loop.project(pid);
  if (status === 'running') {
    throw new DevLoopError('already_running', `Project ${pid} is running.`, { hint: 'Pause or cancel it first.' });
  }
  if (ifMatch === undefined) return;
  const { snapshot } = await vault.status(pid);
  if (ifMatch === snapshot) return;
  throw new DevLoopError('precondition_failed', 'The files have changed since they were looked at.', {
    data: { snapshot },
    hint: 'Read the status again and decide anew.',
  });
}
