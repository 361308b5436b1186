import type { Project, ProjectStatus } from '../api/types.ts';

/** Commands that need words of a person. */
export type Asked = 'feedback' | 'sign-off' | 'abandon';

export type ProjectCommand = { readonly tone: string } & (
  | { readonly name: 'run' | 'pause' | 'resume' | 'cancel'; readonly asks: false }
  | { readonly name: Asked; readonly asks: true }
);

const RUN = { name: 'run', asks: false, tone: 'primary' } as const;
const PAUSE = { name: 'pause', asks: false, tone: '' } as const;
const RESUME = { name: 'resume', asks: false, tone: 'primary' } as const;
const CANCEL = { name: 'cancel', asks: false, tone: '' } as const;
const FEEDBACK = { name: 'feedback', asks: true, tone: '' } as const;
const SIGN_OFF = { name: 'sign-off', asks: true, tone: 'primary' } as const;
const ABANDON = { name: 'abandon', asks: true, tone: 'danger' } as const;

const BY_STATUS: Readonly<Record<ProjectStatus, readonly ProjectCommand[]>> = {
  created: [RUN, FEEDBACK, CANCEL, ABANDON],
  running: [PAUSE, FEEDBACK, CANCEL, ABANDON],
  waiting_approval: [PAUSE, FEEDBACK, CANCEL, ABANDON],
  paused: [RESUME, FEEDBACK, CANCEL, ABANDON],
  blocked: [RUN, FEEDBACK, CANCEL, ABANDON],
  cancelled: [RUN, FEEDBACK, ABANDON],
  shipped: [SIGN_OFF, FEEDBACK, ABANDON],
  'shipped-final': [],
  abandoned: [],
};

/** What a person can do with a project as it stands: the loop's table of transitions, without what it would refuse. */
export function commandsFor({ status, recovery }: Pick<Project, 'status' | 'recovery'>): readonly ProjectCommand[] {
  const all = BY_STATUS[status];
  return recovery === undefined ? all : all.filter(({ name }) => name === 'pause' || name === 'cancel');
}
