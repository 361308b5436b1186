import { settingsSchema } from '../../server/domain/project.ts';
import type { Project, Unit } from '../../server/web/api/types.ts';

export const unit = (id: string, depends_on: readonly string[] = [], more: Partial<Unit> = {}): Unit => ({
  id,
  title: `the ${id}`,
  depends_on,
  status: 'waiting',
  round: 1,
  attempt: 1,
  ...more,
});

/** A project with two units of which one needs the other. */
export function project(more: Partial<Project> = {}): Project {
  return {
    pid: 'p-sample',
    cid: 'default',
    requirement: 'A sample',
    status: 'running',
    revisions: { prd: 1, sdd: 1 },
    created_at: '2026-11-30T10:00:00.000Z',
    updated_at: '2026-11-30T10:00:00.000Z',
    path: '/data/p-sample',
    round: 1,
    units: [unit('store'), unit('api', ['store'])],
    calls: [],
    spent: { calls: 0, tokens: 0, cost: 0 },
    settings: settingsSchema.parse({}),
    team: { default: { driver: 'recorded' } },
    head: '0'.repeat(40),
    ...more,
  };
}
