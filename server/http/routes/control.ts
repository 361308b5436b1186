import type { z } from 'zod';
import { DevLoopError, type ErrorCode } from '../../domain/errors.ts';
import type { ProjectId } from '../../domain/ids.ts';
import { withoutUndefined } from '../../domain/without-undefined.ts';
import type { LoopService } from '../../loop/index.ts';
import { jsonRoute, type RouteId } from '../route.ts';
import { atProject } from '../schemas/common.ts';
import { project } from '../schemas/project-answer.ts';
import { abandonment, feedback, gateAnswer, runStart, signOff } from '../schemas/project-request.ts';

export const runProject = command('POST /projects/:pid/run', {
  summary: 'Start the loop, or go on with it',
  body: runStart,
  codes: ['unit_not_found', 'already_running', 'recovery_pending', 'bad_state'],
  act: (loop, pid, body) => loop.run(pid, withoutUndefined(body)),
});

export const pauseProject = command('POST /projects/:pid/pause', {
  summary: 'Pause after the calls that are running',
  codes: ['bad_state'],
  act: (loop, pid) => loop.pause(pid),
});

export const resumeProject = command('POST /projects/:pid/resume', {
  summary: 'Go on after a pause',
  codes: ['already_running', 'recovery_pending', 'bad_state'],
  act: (loop, pid) => loop.resume(pid),
});

export const cancelProject = command('POST /projects/:pid/cancel', {
  summary: 'End the calls that are running and stop',
  codes: ['bad_state'],
  act: (loop, pid) => loop.cancel(pid),
});

export const approveGate = command('POST /projects/:pid/approve', {
  summary: 'Approve what waits at a gate',
  body: gateAnswer,
  codes: ['bad_state', 'plan_stale'],
  act: async (loop, pid, { gate, note, revision }) => {
    await mustWaitWith(loop, pid, { gate, revision });
    await loop.approve(pid, gate, note);
  },
});

export const rejectGate = command('POST /projects/:pid/reject', {
  summary: 'Send back what waits at a gate',
  body: gateAnswer,
  codes: ['bad_state', 'plan_stale'],
  act: async (loop, pid, { gate, note, revision }) => {
    await mustWaitWith(loop, pid, { gate, revision });
    await loop.reject(pid, gate, note);
  },
});

export const giveFeedback = command('POST /projects/:pid/feedback', {
  summary: 'Give feedback: a new revision of the requirements follows',
  body: feedback,
  codes: ['bad_state'],
  act: (loop, pid, { text }) => loop.feedback(pid, text),
});

export const signOffProject = command('POST /projects/:pid/sign-off', {
  summary: 'Sign a shipped project off',
  body: signOff,
  codes: ['bad_state'],
  act: (loop, pid, { user_id }) => loop.signOff(pid, user_id),
});

export const abandonProject = command('POST /projects/:pid/abandon', {
  summary: 'Abandon a project',
  body: abandonment,
  codes: ['bad_state'],
  act: (loop, pid, { reason }) => loop.abandon(pid, reason),
});

/** Whoever answers has read one revision: another one is not answered. */
async function mustWaitWith(
  loop: LoopService,
  pid: ProjectId,
  { gate, revision }: { readonly gate: 'prd' | 'sdd'; readonly revision: number | undefined },
): Promise<void> {
  if (revision === undefined) return;
  const { revisions } = await loop.project(pid);
  if (revisions[gate] === revision) return;
  throw new DevLoopError('plan_stale', `Revision ${revisions[gate]} of the ${gate} waits, not ${revision}.`, {
    data: { revision: revisions[gate] },
  });
}

/** A request to the loop: accepted with 202 and the project as it is then. */
function command<const Id extends RouteId, B extends z.ZodType = z.ZodObject<Record<never, never>, z.core.$strict>>(
  id: Id,
  spec: {
    readonly summary: string;
    readonly body?: B;
    readonly codes: readonly ErrorCode[];
    readonly act: (loop: LoopService, pid: ProjectId, body: z.output<B>) => Promise<void>;
  },
) {
  return jsonRoute(id, {
    summary: spec.summary,
    params: atProject,
    ...(spec.body === undefined ? {} : { body: spec.body }),
    status: 202,
    response: project,
    codes: ['project_not_found', ...spec.codes],
    starts: true,
    handle: async ({ params, body }, { loop }) => {
      await spec.act(loop, params.pid, body);
      return loop.project(params.pid);
    },
  });
}
